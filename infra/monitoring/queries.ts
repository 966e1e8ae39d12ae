import { Stack } from 'aws-cdk-lib';
import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { petCreatedMessage } from '../../shared/lambda/log.ts';
import { slowAfterMilliseconds } from '../settings/objectives.ts';
import type { Watched } from './indicators/watched.ts';

interface Query extends QueryStringProps {
  /** The logs that have the answer: by default the access log. */
  readonly logs?: readonly ILogGroup[];
}

/** Saves the queries in CloudWatch Logs Insights, under the stack's name. */
export function addQueries(scope: Construct, { accessLogs, functions }: Watched): void {
  const functionLogs = Object.values(functions).map(({ logGroup }) => logGroup);
  const queries: Readonly<Record<string, Query>> = {
    'What does client or key Y call': {
      filterStatements: [`client = 'Y' or keyId = 'Y'`],
      statsStatements: [
        'count(*) as requests, avg(latency), latest(time) as lastTime by method, path, status, keyId, sourceIp',
      ],
      sort: 'requests desc',
    },
    'Errors and slow requests': {
      fields: [
        ...['time', 'client', 'method', 'path', 'status', 'latency', 'integrationLatency'],
        ...['responseType', 'integrationStatus', 'authorizerError', 'requestId'],
      ],
      filterStatements: [`status >= 500 or latency > ${slowAfterMilliseconds}`],
      sort: '@timestamp desc',
      limit: 100,
    },
    'Refused requests': {
      filterStatements: ['status in [401, 429]'],
      statsStatements: [
        'count(*) as refused, latest(time) as lastTime by status, sourceIp, client, responseType, waf',
      ],
      sort: 'refused desc',
    },
    'What happened to request X': {
      // In the access log, and in the lines that functions logged about it.
      logs: [accessLogs, ...functionLogs],
      fields: ['@timestamp', '@log', '@message'],
      filterStatements: [`requestId = 'X' or extendedRequestId = 'X' or message.requestId = 'X'`],
      sort: '@timestamp asc',
    },
    'What did key K create': {
      logs: functionLogs,
      fields: ['@timestamp', 'message.client', 'message.petId', 'message.isReplay', 'message.requestId'],
      filterStatements: [`message.message = '${petCreatedMessage}' and message.keyId = 'K'`],
      sort: '@timestamp desc',
      limit: 10_000,
    },
  };
  for (const [title, { logs = [accessLogs], ...query }] of Object.entries(queries)) {
    new QueryDefinition(scope, title.replaceAll(' ', ''), {
      queryDefinitionName: `${Stack.of(scope).stackName}/${title}`,
      queryString: new QueryString(query),
      logGroups: [...logs],
    });
  }
}

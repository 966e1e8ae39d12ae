import { Stack } from 'aws-cdk-lib';
import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { createPet, getPet } from '../../shared/contract/operations.ts';
import { petCreatedMessage } from '../../shared/lambda/log.ts';
import { slowAfterMilliseconds } from '../settings/objectives.ts';
import type { Watched } from './indicators/watched.ts';

const line = ['time', 'client', 'keyId', 'sourceIp', 'method', 'path', 'status', 'latency'];

export const toGetPet = [`path = '${getPet.path}' and method = '${getPet.method}'`, `client != '-'`];

interface Query extends QueryStringProps {
  /** The logs that have the answer: by default the access log. */
  readonly logs?: (watched: Watched) => ILogGroup[];
}

export const queries = {
  'What does client Y call': {
    filterStatements: [`client = 'Y'`],
    statsStatements: ['count(*) as requests, avg(latency), max(latency) by method, path, status, keyId'],
    sort: 'requests desc',
  },
  'Slowest requests': {
    fields: [...line, 'integrationLatency', 'requestId'],
    filterStatements: [`latency > ${slowAfterMilliseconds}`],
    sort: 'latency desc',
    limit: 50,
  },
  'Who still calls getPet': {
    filterStatements: toGetPet,
    statsStatements: ['count(*) as calls, latest(time) as lastCall by client, keyId'],
    sort: 'calls desc',
  },
  'Which clients use which address': {
    filterStatements: [`client != '-'`],
    statsStatements: ['count(*) as requests, latest(time) as lastTime by domain, client'],
    sort: 'domain, requests desc',
  },
  'Refused requests': {
    filterStatements: ['status in [401, 429]'],
    statsStatements: [
      'count(*) as refused, latest(time) as lastTime by status, sourceIp, client, responseType, waf',
    ],
    sort: 'refused desc',
  },
  'What does key K call': {
    fields: line,
    filterStatements: [`keyId = 'K'`],
    sort: '@timestamp desc',
    limit: 1000,
  },
  Errors: {
    fields: [...line, 'responseType', 'integrationStatus', 'authorizerError', 'requestId'],
    filterStatements: ['status >= 500'],
    sort: '@timestamp desc',
    limit: 100,
  },
  'What happened to request X': {
    // In the access log, and in the lines that functions logged about it.
    logs: ({ accessLogs, functions }) => [
      accessLogs,
      ...Object.values(functions).map(({ logGroup }) => logGroup),
    ],
    fields: ['@timestamp', '@log', '@message'],
    filterStatements: [`requestId = 'X' or extendedRequestId = 'X' or message.requestId = 'X'`],
    sort: '@timestamp asc',
  },
  'What did key K create': {
    logs: ({ functions: { [createPet.operationId]: handler } }) => (handler ? [handler.logGroup] : []),
    fields: ['@timestamp', 'message.client', 'message.petId', 'message.isReplay', 'message.requestId'],
    filterStatements: [`message.message = '${petCreatedMessage}' and message.keyId = 'K'`],
    sort: '@timestamp desc',
    limit: 10_000,
  },
} satisfies Record<string, Query>;

/** Saves the queries in CloudWatch Logs Insights, under the stack's name. */
export function addQueries(scope: Construct, watched: Watched): void {
  for (const [title, { logs, ...query }] of Object.entries<Query>(queries)) {
    new QueryDefinition(scope, title.replaceAll(' ', ''), {
      queryDefinitionName: `${Stack.of(scope).stackName}/${title}`,
      queryString: new QueryString(query),
      logGroups: logs ? logs(watched) : [watched.accessLogs],
    });
  }
}

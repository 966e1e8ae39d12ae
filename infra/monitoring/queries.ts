import { Stack } from 'aws-cdk-lib';
import { type ILogGroup, QueryDefinition, QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { createPet, getPet } from '../../shared/contract/operations.ts';
import { petCreatedMessage } from '../../shared/lambda/log.ts';
import { slowAfterMilliseconds } from './indicators/indicators.ts';
import type { Watched } from './indicators/watched.ts';

const line = ['time', 'client', 'keyId', 'sourceIp', 'method', 'path', 'status', 'latency'];

/** Calls of getPet by known clients. */
export const toGetPet = [`path = '${getPet.path}' and method = '${getPet.method}'`, `client != '-'`];

/** Questions about the access log, by title. */
export const accessLogQueries = {
  'What does client Y call': {
    filterStatements: [`client = 'Y'`],
    statsStatements: ['count(*) as requests, avg(latency), max(latency) by method, path, status, keyId'],
    sort: 'requests desc',
  },
  'The slowest': {
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
} satisfies Record<string, QueryStringProps>;

/** An operator's questions, saved in CloudWatch Logs Insights under the stack's name. */
export class Queries extends Construct {
  constructor(scope: Construct, id: string, { accessLogs, functions }: Watched) {
    super(scope, id);
    const add = (title: string, query: QueryStringProps, logGroups: ILogGroup[]) =>
      new QueryDefinition(this, title.replaceAll(' ', ''), {
        queryDefinitionName: `${Stack.of(this).stackName}/${title}`,
        queryString: new QueryString(query),
        logGroups,
      });
    const logsOf = (...ids: readonly string[]) => ids.flatMap((id) => functions[id]?.logGroup ?? []);

    for (const [title, query] of Object.entries(accessLogQueries)) add(title, query, [accessLogs]);
    const requestQuery = {
      fields: ['@timestamp', '@log', '@message'],
      // In the access log, and in the lines that functions logged about it.
      filterStatements: [`requestId = 'X' or extendedRequestId = 'X' or message.requestId = 'X'`],
      sort: '@timestamp asc',
    };
    add('What happened to request X', requestQuery, [accessLogs, ...logsOf(...Object.keys(functions))]);
    const createQuery = {
      fields: ['@timestamp', 'message.client', 'message.petId', 'message.isReplay', 'message.requestId'],
      filterStatements: [`message.message = '${petCreatedMessage}' and message.keyId = 'K'`],
      sort: '@timestamp desc',
      limit: 10_000,
    };
    add('What did key K create', createQuery, logsOf(createPet.operationId));
  }
}

import { Stack } from 'aws-cdk-lib';
import { QueryDefinition, QueryString } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { getPet } from '../../shared/contract/operations.ts';
import { slowAfterMilliseconds } from './indicators/indicators.ts';
import { functionsOf, type Watched } from './indicators/watched.ts';

/** Who still calls getPet, which ends on 5 December 2030: by client, so that one knows whom to write to. */
export const callersOfGetPet = {
  filterStatements: [`path = '${getPet.path}' and method = '${getPet.method}'`, `client != '-'`],
  statsStatements: ['count(*) as calls, latest(time) as lastCall by client, keyId'],
  sort: 'calls desc',
};

/** The questions of an operator, saved in CloudWatch Logs Insights under the stack's name. */
export class Queries extends Construct {
  constructor(scope: Construct, id: string, watched: Watched) {
    super(scope, id);
    const { accessLogs } = watched;
    const { stackName } = Stack.of(this);
    const add = (queryId: string, title: string, query: QueryString, logGroups = [accessLogs]) =>
      new QueryDefinition(this, queryId, {
        queryDefinitionName: `${stackName}/${title}`,
        queryString: query,
        logGroups,
      });
    const line = ['time', 'client', 'keyId', 'sourceIp', 'method', 'path', 'status', 'latency'];

    add(
      'Request',
      'What happened to request X',
      new QueryString({
        fields: ['@timestamp', '@log', '@message'],
        // In the access log, and in the lines that a function logged of it.
        filterStatements: [`requestId = 'X' or extendedRequestId = 'X' or message.requestId = 'X'`],
        sort: '@timestamp asc',
      }),
      [accessLogs, ...functionsOf(watched).map(({ logGroup }) => logGroup)],
    );
    add(
      'Client',
      'What does client Y call',
      new QueryString({
        filterStatements: [`client = 'Y'`],
        statsStatements: ['count(*) as requests, avg(latency), max(latency) by method, path, status, keyId'],
        sort: 'requests desc',
      }),
    );
    add(
      'Slowest',
      'The slowest',
      new QueryString({
        fields: [...line, 'integrationLatency', 'requestId'],
        filterStatements: [`latency > ${slowAfterMilliseconds}`],
        sort: 'latency desc',
        limit: 50,
      }),
    );
    add('GetPet', 'Who still calls getPet', new QueryString(callersOfGetPet));
    add(
      'Refused',
      'Refused keys',
      new QueryString({
        filterStatements: ['status = 401'],
        statsStatements: ['count(*) as refused, latest(time) as lastTime by sourceIp, responseType'],
        sort: 'refused desc',
      }),
    );
    add(
      'Errors',
      'Errors',
      new QueryString({
        fields: [...line, 'responseType', 'integrationStatus', 'authorizerError', 'requestId'],
        filterStatements: ['status >= 500'],
        sort: '@timestamp desc',
        limit: 100,
      }),
    );
  }
}

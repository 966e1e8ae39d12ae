import { Stack } from 'aws-cdk-lib';
import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { petCreatedMessage, requestRejectedMessage } from '../../shared/lambda/log.ts';
import { slowAfterMilliseconds } from '../settings/objectives.ts';
import type { Watched } from './indicators.ts';

const queries = {
  'What does client or key Y call': [
    "filter client = 'Y' or keyId = 'Y'",
    'stats count(*) as requests, latest(time) as lastTime by method, path, status, keyId, sourceIp',
    'sort requests desc',
  ],
  'Errors and slow requests': [
    'fields time, client, method, path, status, latency, integrationLatency',
    'fields responseType, integrationStatus, authorizerError, requestId',
    `filter status >= 500 or latency > ${slowAfterMilliseconds}`,
    'sort @timestamp desc',
  ],
  'Refused requests': [
    "filter status in [401, 429] or waf = 'WAF_BLOCK'",
    'stats count(*) as refused by status, method, path, sourceIp, client, responseType, waf',
    'sort refused desc',
  ],
  'What happened to request X': [
    'fields @timestamp, @log, @message',
    "filter requestId = 'X' or extendedRequestId = 'X' or message.requestId = 'X'",
    'sort @timestamp asc',
  ],
  'What is wrong with the requests of key K': [
    `filter message.message = '${requestRejectedMessage}' and message.keyId = 'K'`,
    'stats count(*) as rejected, latest(@timestamp) as lastTime by message.code, message.invalid, message.position',
    'sort rejected desc',
  ],
  'What did key K create': [
    'fields @timestamp, message.client, message.petId, message.isReplay, message.requestId',
    `filter message.message = '${petCreatedMessage}' and message.keyId = 'K'`,
    'sort @timestamp desc',
    'limit 10000',
  ],
};

/** Saves the queries in CloudWatch Logs Insights, under the stack's name. */
export function addQueries(scope: Construct, { api, functions }: Watched): void {
  // All logs: only the access log has a `status`, and only the functions' logs have a `message`.
  const logGroups = [api.accessLogs, ...functions.map(({ logGroup }) => logGroup)];
  for (const [title, lines] of Object.entries(queries)) {
    new CfnQueryDefinition(scope, title.replaceAll(' ', ''), {
      name: `${Stack.of(scope).stackName}/${title}`,
      queryString: lines.join('\n| '),
      logGroupNames: logGroups.map(({ logGroupName }) => logGroupName),
    });
  }
}

import { CfnQueryDefinition } from 'aws-cdk-lib/aws-logs';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { createdMessage, type LogField, requestRejectedMessage } from '../../shared/lambda/log.ts';
import type { AccessField } from '../service/access-log-format.ts';
import type { Objectives } from '../settings/objectives.ts';
import type { Watched } from './indicators.ts';

/** Names fields of the access log. */
export const access = (...names: readonly AccessField[]) => names.join(', ');

/** Names fields of the functions' logs. */
const logged = (...names: readonly LogField[]) => names.map((name) => `message.${name}`).join(', ');

const queries = ({ slowAfterMilliseconds }: Objectives) => ({
  'What does client or key Y call': [
    `filter ${access('client')} = 'Y' or ${access('keyId')} = 'Y'`,
    `stats count(*) as requests, latest(${access('time')}) as lastTime by ${access('method', 'path', 'status', 'keyId', 'sourceIp')}`,
    'sort requests desc',
  ],
  'Errors and slow requests': [
    `fields ${access('time', 'client', 'method', 'path', 'status', 'latency', 'integrationLatency')}`,
    `fields ${access('responseType', 'integrationStatus', 'authorizerError', 'requestId')}`,
    `filter ${access('status')} >= 500 or ${access('latency')} > ${slowAfterMilliseconds}`,
    'sort @timestamp desc',
  ],
  'Refused requests': [
    `filter ${access('status')} in [401, 429] or ${access('waf')} = 'WAF_BLOCK'`,
    `stats count(*) as refused by ${access('status', 'method', 'path', 'sourceIp', 'client', 'responseType', 'waf')}`,
    'sort refused desc',
  ],
  'What happened to request X': [
    'fields @timestamp, @log, @message',
    `filter ${access('requestId')} = 'X' or ${access('extendedRequestId')} = 'X' or ${logged('requestId')} = 'X'`,
    'sort @timestamp asc',
  ],
  'What is wrong with the requests of key K': [
    `filter ${logged('message')} = '${requestRejectedMessage}' and ${logged('keyId')} = 'K'`,
    `stats count(*) as rejected, latest(@timestamp) as lastTime by ${logged('code', 'invalid', 'position')}`,
    'sort rejected desc',
  ],
  'What did key K create': [
    `fields @timestamp, ${logged('client', 'table', 'key', 'isReplay', 'requestId')}`,
    `filter ${logged('message')} = '${createdMessage}' and ${logged('keyId')} = 'K'`,
    'sort @timestamp desc',
    'limit 10000',
  ],
});

/** Saves the queries in CloudWatch Logs Insights, under the stack's name. */
export function addQueries(scope: Construct, { api, functions, settings }: Watched): void {
  // All logs: only the access log has a `status`, and only the functions' logs have a `message`.
  const logGroups = [api.accessLogs, ...functions.map(({ logGroup }) => logGroup)];
  for (const [title, lines] of Object.entries(queries(settings.objectives))) {
    new CfnQueryDefinition(scope, title.replaceAll(' ', ''), {
      name: `${Stack.of(scope).stackName}/${title}`,
      queryString: lines.join('\n| '),
      logGroupNames: logGroups.map(({ logGroupName }) => logGroupName),
    });
  }
}

import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError } from '../contract/api-error.ts';
import { stringifyJson } from '../contract/json.ts';
import { timeLimits } from '../lambda/time-limits.ts';
import { responses } from './responses.ts';

/**
 * The start of every API handler: whatever follows, the client is answered as the contract says, and in time.
 * `outermost` see every answer, errors included, as it leaves.
 */
export const apiHandler = (...outermost: MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>[]) =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: timeLimits.response,
    timeoutEarlyResponse: () => {
      throw new ApiError('service_unavailable', undefined, {
        cause: new Error('The function ran out of time.'),
      });
    },
  }).use([...outermost, ...responses()]);

/** An answer with a JSON body. */
export function json(
  statusCode: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: stringifyJson(body),
  };
}

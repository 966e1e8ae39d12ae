import middy, { type MiddlewareObj, type Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError } from '../contract/errors/api-error.ts';
import { stringifyJson } from '../contract/json.ts';
import type { Operation, ResponseBody, ResponseHeaders } from '../contract/operation.ts';
import { startInvocation } from '../lambda/log.ts';
import { timeLimits } from '../lambda/time-limits.ts';
import { responses } from './responses.ts';

/**
 * The start of every API handler: whatever follows, the client gets a response as the contract says, and in time.
 * `outermost` see every response, errors included, as it leaves.
 */
export const apiHandler = (...outermost: MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>[]) =>
  middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: timeLimits.response,
    timeoutEarlyResponse: () => {
      throw new ApiError('service_unavailable', undefined, {
        cause: new Error('The function ran out of time.'),
      });
    },
  }).use([{ before: nameInvocation }, ...outermost, ...responses()]);

function nameInvocation({ event: { requestContext } }: Request<APIGatewayProxyEvent>): void {
  const { requestId, authorizer } = requestContext;
  startInvocation({ requestId, keyId: authorizer?.['keyId'] });
}

/** The success of an operation, of which the types let through only what its entry in the operations table describes. */
export function json<TOperation extends Operation>(
  statusCode: TOperation['success'],
  body: ResponseBody<TOperation>,
  headers: ResponseHeaders<TOperation>,
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: stringifyJson(body),
  };
}

import middy, { type MiddlewareObj, type Request } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { commonHeaders } from '../contract/common-headers.ts';
import { ApiError, errorBody, errorHeaders, errorTable } from '../contract/errors/error-table.ts';
import { stringifyJson } from '../contract/json.ts';
import type { Operation, ResponseBody, ResponseHeaders } from '../contract/operation.ts';
import { logError, logInfo, requestRejectedMessage, startInvocation } from '../lambda/log.ts';
import { thrownValue } from '../lambda/thrown-value.ts';
import { timeLimits } from '../lambda/time-limits.ts';

type ApiRequest = Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

export type ApiMiddleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

/**
 * Returns the base of an API handler: whatever happens, the client gets a timely response that conforms to
 * the contract. The `outermost` middlewares see every response on its way out, errors included.
 */
export function apiHandler(...outermost: ApiMiddleware[]) {
  const place = new Error();
  Error.captureStackTrace(place, apiHandler);
  /** When it is called, only Middy is on the stack. So the trace shows where the handler is made, which names its file. */
  function failure(message: string): Error {
    const error = new Error(message);
    error.stack = `${error}${place.stack?.slice(place.stack.indexOf('\n'))}`;
    return error;
  }
  return middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: timeLimits.response,
    timeoutEarlyResponse: () => {
      const cause = failure('The handler did not respond in time.');
      throw new ApiError('service_unavailable', undefined, { cause });
    },
  }).use([
    { before: startLogging },
    ...outermost,
    { after: addCommonHeaders, onError: addCommonHeaders },
    // On an error, Middy runs the last middleware first.
    httpErrorHandler({ logger: false }),
    { onError: (request) => convertError(request, failure) },
  ]);
}

function startLogging({ event: { requestContext } }: ApiRequest): void {
  const { requestId, authorizer } = requestContext;
  startInvocation({ requestId, keyId: authorizer?.['keyId'] });
}

function addCommonHeaders({ response }: ApiRequest): void {
  if (response) response.headers = { ...response.headers, ...commonHeaders };
}

/** Logs an error, without content of a request, and converts it to one whose message Middy sends as body. */
function convertError(request: ApiRequest, failure: (message: string) => Error): void {
  const thrown: unknown = request.error;
  const error = thrown instanceof Error ? thrown : failure(`This was thrown: ${thrownValue(thrown)}`);
  const known =
    error instanceof ApiError ? error : new ApiError('internal_error', undefined, { cause: error });
  const statusCode = errorTable[known.code].status;

  if (statusCode >= 500) logError(known.message, known.cause ?? known, { code: known.code });
  else logInfo(requestRejectedMessage, { code: known.code, ...known.details });
  request.error = Object.assign(new Error(errorBody(known.code, known.message)), {
    statusCode,
    expose: true,
    headers: errorHeaders(known.code),
  });
}

/** Returns a successful response. Only what the operations table describes compiles; a 204 has no body. */
export function jsonResponse<TOperation extends Operation = never>(
  statusCode: TOperation['success'],
  body: ResponseBody<TOperation>,
  headers: ResponseHeaders<TOperation>,
): APIGatewayProxyResult {
  if (body === undefined) return { statusCode, headers: { ...headers }, body: '' };
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: stringifyJson(body),
  };
}

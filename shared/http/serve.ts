import middy, { type Request } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError, errorBody } from '../contract/error-table.ts';
import { stringifyJson } from '../contract/json.ts';
import {
  type Body,
  commonHeaders,
  type Operation,
  type ResponseBody,
  type ResponseHeaders,
} from '../contract/operation.ts';
import { logError, logInfo, requestRejectedMessage, startInvocation } from '../lambda/log.ts';
import { timeLimits } from '../lambda/time-limits.ts';
import { deprecated } from './deprecation.ts';
import { type ApiEvent, type ApiMiddleware, requestParser } from './request.ts';

type ApiRequest = Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

/**
 * Returns the parts of an operation's handler, all of which follow from the operation:
 *
 * - `handle` makes the handler: whatever happens, the client gets a timely response that conforms to the contract,
 *   with the headers of a deprecation.
 * - `parse` parses a request, and throws an `ApiError` that says what is invalid.
 * - `respond` makes a successful response. Only what the operation describes compiles; a 204 has no body.
 *
 * An operation with a body takes `jsonBody` as well, 3.5 KB that the others need not load: `serve(createOrder, jsonBody)`.
 */
export function serve<const TOperation extends Operation>(
  operation: TOperation,
  ...bodyParser: TOperation extends { body: Body } ? [ApiMiddleware] : []
) {
  const { operationId, deprecation, success } = operation;
  // Middy calls `before` down this list, then the handler, then `after` or `onError` up the list.
  const middlewares: ApiMiddleware[] = [
    { before: startLogging },
    ...(deprecation ? [deprecated(deprecation)] : []),
    { after: addCommonHeaders, onError: addCommonHeaders },
    httpErrorHandler({ logger: false }),
    { onError: logAndConvertError },
    ...bodyParser,
  ];
  return {
    handle: (act: (event: ApiEvent) => Promise<APIGatewayProxyResult>) =>
      middy<APIGatewayProxyEvent, APIGatewayProxyResult>({
        timeoutEarlyInMillis: timeLimits.response,
        timeoutEarlyResponse: () => {
          const cause = new Error(`The handler of ${operationId} did not respond in time.`);
          throw new ApiError('service_unavailable', undefined, { cause });
        },
      })
        .use(middlewares)
        .handler(act),

    parse: requestParser(operation),

    respond: (
      content: ResponseBody<TOperation>,
      headers: ResponseHeaders<TOperation>,
    ): APIGatewayProxyResult =>
      content === undefined
        ? { statusCode: success, headers: { ...headers }, body: '' }
        : {
            statusCode: success,
            headers: { 'Content-Type': 'application/json', ...headers },
            body: stringifyJson(content),
          },
  };
}

function startLogging({ event: { requestContext } }: ApiRequest): void {
  const { requestId, authorizer } = requestContext;
  startInvocation({ requestId, keyId: authorizer?.['keyId'] });
}

function addCommonHeaders({ response }: ApiRequest): void {
  if (response) response.headers = { ...response.headers, ...commonHeaders };
}

/** Logs an error without content of the request, and replaces it by one that httpErrorHandler can send. */
function logAndConvertError(request: ApiRequest): void {
  const { error } = request;
  const known =
    error instanceof ApiError ? error : new ApiError('internal_error', undefined, { cause: error });
  const { status: statusCode, headers } = known;

  if (statusCode >= 500) logError(known.message, known.cause ?? known, { code: known.code });
  else logInfo(requestRejectedMessage, { code: known.code, ...known.details });
  // httpErrorHandler sends the message of an error as the body, and calls it JSON if it begins with a brace.
  const body = errorBody(known);
  request.error = Object.assign(new Error(body), { statusCode, headers, expose: true });
}

import type { MiddlewareObj, Request } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { commonHeaders } from '../contract/common-headers.ts';
import { ApiError } from '../contract/errors/api-error.ts';
import { errorBody, errorHeaders, errorTable } from '../contract/errors/error-table.ts';
import { logError } from '../lambda/log.ts';

type ApiRequest = Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** Turns every error into a response in the Error shape, and gives every response the common headers. */
export function responses(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>[] {
  // Middy runs these hooks last first: an error is put into shape, then made a response, then given its headers.
  return [
    { after: addCommonHeaders, onError: addCommonHeaders },
    httpErrorHandler({ logger: false }),
    { onError: putIntoShape },
  ];
}

function addCommonHeaders({ response }: ApiRequest): void {
  if (response) response.headers = { ...response.headers, ...commonHeaders };
}

function putIntoShape(request: ApiRequest): void {
  const { error } = request;
  const known =
    error instanceof ApiError ? error : new ApiError('internal_error', undefined, { cause: error });
  const statusCode = errorTable[known.code].status;

  if (statusCode >= 500) {
    logError(known.message, known.cause, { code: known.code });
  }
  request.error = Object.assign(new Error(errorBody(known.code, known.message)), {
    statusCode,
    expose: true,
    headers: errorHeaders(known.code),
  });
}

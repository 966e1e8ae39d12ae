import type { MiddlewareObj, Request } from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { answerHeaders } from '../answer-headers.ts';
import { ApiError } from '../api-error.ts';
import { errorBody, errorHeaders, errorTable } from '../error-table.ts';
import { logError } from '../log.ts';

type ApiRequest = Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** Answers every error in the Error shape, and gives every answer the headers that all of them carry. */
export function answers(): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>[] {
  // Middy runs these hooks last first: an error is put into shape, then answered, then given its headers.
  return [
    { after: addAnswerHeaders, onError: addAnswerHeaders },
    httpErrorHandler({ logger: false }),
    { onError: putIntoShape },
  ];
}

function addAnswerHeaders({ response }: ApiRequest): void {
  if (response) response.headers = { ...response.headers, ...answerHeaders };
}

function putIntoShape(request: ApiRequest): void {
  const { error, event } = request;
  const known =
    error instanceof ApiError ? error : new ApiError('internal_error', undefined, { cause: error });
  const statusCode = errorTable[known.code].status;

  if (statusCode >= 500) {
    logError(known.message, known.cause, { code: known.code, requestId: event.requestContext.requestId });
  }
  request.error = Object.assign(new Error(errorBody(known.code, known.message)), {
    statusCode,
    expose: true,
    headers: errorHeaders(known.code),
  });
}

import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { type Deprecation, deprecationHeaders } from '../contract/deprecation.ts';
import { ApiError } from '../contract/errors/api-error.ts';
import { absoluteUrl } from './request.ts';

type ApiRequest = Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

/**
 * Adds the deprecation headers to every response of an operation, and removes the operation at its sunset.
 *
 * @throws {ApiError} `gone` from the sunset on
 */
export function deprecated(
  deprecation: Deprecation,
): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const announce = ({ event, response }: ApiRequest) => {
    if (!response) return;
    response.headers = {
      ...response.headers,
      ...deprecationHeaders(deprecation, absoluteUrl(event, deprecation.successor)),
    };
  };

  return {
    before: () => {
      if (Date.now() >= Date.parse(deprecation.sunset)) throw new ApiError('gone');
    },
    after: announce,
    onError: announce,
  };
}

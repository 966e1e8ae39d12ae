import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { ApiError } from '../contract/api-error.ts';
import type { Deprecation } from '../contract/operations.ts';
import { absoluteUrl } from './request.ts';

type ApiRequest = Request<APIGatewayProxyEvent, APIGatewayProxyResult>;

/**
 * Announces the end of an operation with every answer (RFC 9745, RFC 8594) and ends it at its sunset.
 *
 * @throws {ApiError} `gone` from the sunset on
 */
export function deprecated({
  since,
  sunset,
  successor,
}: Deprecation): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> {
  const deprecation = `@${Date.parse(since) / 1000}`;
  const sunsetAt = new Date(sunset);

  const announce = ({ event, response }: ApiRequest) => {
    if (!response) return;
    response.headers = {
      ...response.headers,
      Deprecation: deprecation,
      Sunset: sunsetAt.toUTCString(),
      Link: `<${absoluteUrl(event, successor)}>; rel="successor-version"`,
    };
  };

  return {
    before: () => {
      if (Date.now() >= sunsetAt.getTime()) throw new ApiError('gone');
    },
    after: announce,
    onError: announce,
  };
}

import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorBody, errorTable } from '../../shared/contract/error-table.ts';
import { commonHeaders } from '../../shared/contract/operation.ts';
import { errorHeaders } from './error-headers.ts';

type GatewayResponse = Exclude<keyof typeof ResponseType, 'of' | 'prototype'>;

/**
 * The error returned for each of API Gateway's own responses.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const codes = {
  ACCESS_DENIED: 'unauthorized',
  API_CONFIGURATION_ERROR: 'internal_error',
  // The authorizer throws when it can't read the keys.
  AUTHORIZER_CONFIGURATION_ERROR: 'service_unavailable',
  AUTHORIZER_FAILURE: 'service_unavailable',
  BAD_REQUEST_BODY: 'invalid_body',
  // A query parameter, or else a header or part of the path.
  BAD_REQUEST_PARAMETERS: 'invalid_request',
  INTEGRATION_FAILURE: 'service_unavailable',
  INTEGRATION_TIMEOUT: 'gateway_timeout',
  INVALID_API_KEY: 'unauthorized',
  QUOTA_EXCEEDED: 'too_many_requests',
  REQUEST_TOO_LARGE: 'payload_too_large',
  RESOURCE_NOT_FOUND: 'not_found',
  THROTTLED: 'too_many_requests',
  UNAUTHORIZED: 'unauthorized',
  UNSUPPORTED_MEDIA_TYPE: 'unsupported_media_type',
  // Only if a rule of the web ACL had no response of its own.
  WAF_FILTERED: 'too_many_requests',
  DEFAULT_5XX: 'internal_error',
  // An unknown path: API Gateway treats the request as signed with IAM, and finds the signature missing, expired
  // or unreadable; a bearer token gets one of these. No method of this API uses IAM.
  MISSING_AUTHENTICATION_TOKEN: 'not_found',
  EXPIRED_TOKEN: 'not_found',
  INVALID_SIGNATURE: 'not_found',
  DEFAULT_4XX: 'invalid_request',
} as const satisfies Record<GatewayResponse, ErrorCode>;

/** Makes every API Gateway error follow the error table in shape, status and headers. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, code] of Object.entries(codes)) {
    api.addGatewayResponse(type, {
      type: ResponseType.of(type),
      statusCode: `${errorTable[code].status}`,
      responseHeaders: responseHeaders(code),
      templates: { 'application/json': errorBody(code) },
    });
  }
}

/** Returns an error's headers for API Gateway, which treats a quoted value as text, not an expression. */
export function responseHeaders(code: ErrorCode): Record<string, string> {
  const headers = Object.entries({ ...commonHeaders, ...errorHeaders(code) });
  return Object.fromEntries(headers.map(([name, value]) => [name, `'${value}'`]));
}

import { type GatewayResponseOptions, ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  commonHeaders,
  type ErrorCode,
  errorBody,
  errorHeaders,
  errorTable,
} from '../../shared/contract/errors/error-table.ts';

/**
 * The error that stands for each of API Gateway's own responses.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
const codes: readonly (readonly [ResponseType, ErrorCode])[] = [
  [ResponseType.ACCESS_DENIED, 'unauthorized'],
  [ResponseType.API_CONFIGURATION_ERROR, 'internal_error'],
  // The authorizer throws when it can't read the keys.
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'service_unavailable'],
  [ResponseType.AUTHORIZER_FAILURE, 'service_unavailable'],
  [ResponseType.BAD_REQUEST_BODY, 'invalid_body'],
  // A query parameter, or else a header or part of the path.
  [ResponseType.BAD_REQUEST_PARAMETERS, 'invalid_request'],
  [ResponseType.INTEGRATION_FAILURE, 'service_unavailable'],
  [ResponseType.INTEGRATION_TIMEOUT, 'gateway_timeout'],
  [ResponseType.INVALID_API_KEY, 'unauthorized'],
  [ResponseType.QUOTA_EXCEEDED, 'too_many_requests'],
  [ResponseType.REQUEST_TOO_LARGE, 'payload_too_large'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found'],
  [ResponseType.THROTTLED, 'too_many_requests'],
  [ResponseType.UNAUTHORIZED, 'unauthorized'],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'unsupported_media_type'],
  // The web ACL has only rate rules.
  [ResponseType.WAF_FILTERED, 'too_many_requests'],
  [ResponseType.DEFAULT_5XX, 'internal_error'],
  // If no method matches, API Gateway treats the request as signed with IAM, and finds the signature missing,
  // expired or unreadable; a bearer token is one of those. No method of this API uses IAM.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found'],
  [ResponseType.EXPIRED_TOKEN, 'not_found'],
  [ResponseType.INVALID_SIGNATURE, 'not_found'],
  [ResponseType.DEFAULT_4XX, 'invalid_request'],
];

/** Gives every error of API Gateway itself the shape, the status and the headers of the error table. */
export function addGatewayResponses(api: RestApi): void {
  for (const [type, code] of codes) {
    api.addGatewayResponse(type.responseType, { type, ...gatewayResponse(code) });
  }
}

function gatewayResponse(code: ErrorCode): Omit<GatewayResponseOptions, 'type'> {
  return {
    statusCode: `${errorTable[code].status}`,
    responseHeaders: responseHeaders(code),
    templates: { 'application/json': errorBody(code) },
  };
}

/** Returns the headers of an error as API Gateway takes them: a value in quotes is a text, not a mapping expression. */
export function responseHeaders(code: ErrorCode): Record<string, string> {
  const headers = Object.entries({ ...commonHeaders, ...errorHeaders(code) });
  return Object.fromEntries(headers.map(([name, value]) => [name, `'${value}'`]));
}

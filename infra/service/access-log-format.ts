import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';

/**
 * One JSON line per request: the caller, the operation and the outcome. It omits headers and raw paths, and
 * so keys. The client chooses only the request id, through a header; API Gateway's id is next to it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
const fields = {
  requestId: AccessLogField.contextRequestId(),
  extendedRequestId: AccessLogField.contextExtendedRequestId(),
  time: AccessLogField.contextRequestTime(),
  sourceIp: AccessLogField.contextIdentitySourceIp(),
  client: AccessLogField.contextAuthorizer('client'),
  keyId: AccessLogField.contextAuthorizer('keyId'),
  domain: AccessLogField.contextDomainName(),
  method: AccessLogField.contextHttpMethod(),
  path: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  latency: AccessLogField.contextResponseLatency(),
  // Lambda's latency and status: 200 even if the function returns 500.
  integrationLatency: AccessLogField.contextIntegrationLatency(),
  integrationStatus: AccessLogField.contextIntegrationStatus(),
  tlsVersion: '$context.tlsVersion',
  // What the web ACL decided.
  waf: AccessLogField.contextWafResponseCode(),
  // Set for gateway responses only.
  responseType: AccessLogField.contextErrorResponseType(),
  authorizerError: AccessLogField.contextAuthorizerError(),
};

/** The fields of the access log, which queries and metrics name. */
export type AccessField = keyof typeof fields;

/** Fields that are always numbers, written without quotes: metric filters compare only numbers by size. */
const numbers = /"(\$context\.(?:status|responseLatency))"/g;

/** The format of a stage's access log. */
export const accessLogFormat = AccessLogFormat.custom(JSON.stringify(fields).replaceAll(numbers, '$1'));

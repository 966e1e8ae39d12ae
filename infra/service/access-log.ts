import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import type { StageSettings } from '../settings/stages.ts';

/**
 * One line of JSON a request: who called what, and what came of it. It has no header and no path as it was sent, and so no
 * key; of what a client chooses it has the request id alone, which a header can set, and API Gateway's own id beside it.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-variables-for-access-logging.html
 */
const fields = {
  requestId: AccessLogField.contextRequestId(),
  extendedRequestId: AccessLogField.contextExtendedRequestId(),
  time: AccessLogField.contextRequestTime(),
  sourceIp: AccessLogField.contextIdentitySourceIp(),
  client: AccessLogField.contextAuthorizer('client'),
  keyId: AccessLogField.contextAuthorizer('keyId'),
  method: AccessLogField.contextHttpMethod(),
  path: AccessLogField.contextResourcePath(),
  status: AccessLogField.contextStatus(),
  latency: AccessLogField.contextResponseLatency(),
  // Of the function behind the method, and what Lambda itself says of it: 200 also where the function responds 500.
  integrationLatency: AccessLogField.contextIntegrationLatency(),
  integrationStatus: AccessLogField.contextIntegrationStatus(),
  // Of a gateway response.
  responseType: AccessLogField.contextErrorResponseType(),
  authorizerError: AccessLogField.contextAuthorizerError(),
};

/** The fields that are numbers in every line, and written as such: a metric filter compares only numbers by size. */
const numbers = /"(\$context\.(?:status|responseLatency))"/g;

/** The format of a stage's access log. */
export const accessLogFormat = AccessLogFormat.custom(JSON.stringify(fields).replaceAll(numbers, '$1'));

/** What becomes of a log that the stack no longer declares. Of a first deploy that fails nothing is kept. */
export const logRemovalPolicy = ({ removalPolicy }: StageSettings): RemovalPolicy =>
  removalPolicy === RemovalPolicy.RETAIN ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : removalPolicy;

import * as v from 'valibot';
import type { HttpResponse } from '../http/read-request.ts';
import type { InvocationOutcome } from '../lambda/runtime-protocol.ts';
import { responseHeaders } from './header-mapping.ts';
import { reportMalformedResult } from './malformed-result.ts';
import { GatewayRejection } from './own-responses.ts';

const wholeNumber = 'a whole number';

/**
 * The result of a function. AWS documents the keys, and that a malformed result is a 502. SAM's local API
 * documents in its source what else API Gateway accepts: null, a status as text, and no other key.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html#api-gateway-simple-proxy-for-lambda-output-format
 * https://github.com/aws/aws-sam-cli/blob/develop/samcli/local/apigw/local_apigw_service.py
 */
const ProxyResult = v.strictObject({
  statusCode: v.pipe(
    v.union([v.number(), v.string()]),
    v.toNumber(wholeNumber),
    v.integer(wholeNumber),
    v.minValue(200),
    v.maxValue(599),
  ),
  headers: v.nullish(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  multiValueHeaders: v.nullish(v.record(v.string(), v.array(v.string())), {}),
  body: v.nullish(v.string(), ''),
  isBase64Encoded: v.nullish(v.boolean(), false),
});

/**
 * Returns the response that API Gateway sends for the outcome of a function, whose source a message names.
 *
 * @throws {GatewayRejection} if it failed, or its result is malformed
 */
export function proxyResponse(outcome: InvocationOutcome, source: string): HttpResponse {
  if ('error' in outcome) throw new GatewayRejection('DEFAULT_5XX');
  const { success, output, issues } = v.safeParse(ProxyResult, outcome.payload);
  if (!success) {
    reportMalformedResult(source, issues);
    throw new GatewayRejection('DEFAULT_5XX');
  }
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = output;
  return {
    status: statusCode,
    headers: responseHeaders(headers, multiValueHeaders),
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}

import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import {
  type ErrorCode,
  errorBody,
  errorHeaders,
  errorTable,
} from '../../shared/contract/errors/error-table.ts';
import type { FairUse } from '../settings/operation-settings.ts';

/** AWS WAF's shortest window, and how long a client can stay blocked after it stops. */
const windowSeconds = 60;

// Sampled requests would show API keys.
const metrics = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };

/** What a web ACL blocks, and the error that the client gets. */
interface Rule {
  readonly error: ErrorCode;
  readonly statement: CfnWebACL.StatementProperty;
}

/**
 * Blocks what needs no function: a request without a key of the right form gets a 401, on whatever path, and
 * a client or an address with too many requests cannot exhaust a method's limit for everyone.
 */
export function addWebAcl(
  scope: Construct,
  stage: Stage,
  { perKey, perAddress }: FairUse,
  /** What an Authorization header with a key looks like. */
  keyPattern: string,
): void {
  const rules: Readonly<Record<string, Rule>> = {
    // AWS WAF sees the first 8 KB and 200 headers; API Gateway accepts more, where a key would go uncounted.
    // https://docs.aws.amazon.com/waf/latest/developerguide/waf-oversize-request-components.html
    OversizeHeaders: {
      error: 'invalid_header',
      statement: {
        sizeConstraintStatement: {
          fieldToMatch: {
            headers: { matchPattern: { all: {} }, matchScope: 'ALL', oversizeHandling: 'MATCH' },
          },
          comparisonOperator: 'GT',
          size: 8192,
          textTransformations: [{ priority: 0, type: 'NONE' }],
        },
      },
    },
    // A request without the header does not match the pattern either.
    NotAKey: {
      error: 'unauthorized',
      statement: {
        notStatement: {
          statement: {
            regexMatchStatement: {
              fieldToMatch: { singleHeader: { Name: 'Authorization' } },
              // AWS WAF supports no groups that capture.
              // https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-regex-match.html
              regexString: keyPattern.replaceAll(/[()]/g, ''),
              textTransformations: [{ priority: 0, type: 'NONE' }],
            },
          },
        },
      },
    },
    RequestsPerKey: rateLimit({
      limit: perKey,
      aggregateKeyType: 'CUSTOM_KEYS',
      customKeys: [
        {
          header: {
            name: 'Authorization',
            // "BEARER  <key>" is the same key. Two keys that differ only in case would share a limit.
            textTransformations: [
              { priority: 0, type: 'COMPRESS_WHITE_SPACE' },
              { priority: 1, type: 'LOWERCASE' },
            ],
          },
        },
      ],
    }),
    RequestsPerAddress: rateLimit({ limit: perAddress, aggregateKeyType: 'IP' }),
  };

  const errors = new Set(Object.values(rules).map(({ error }) => error));
  const acl = new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: { metricName: 'PetStore', ...metrics },
    customResponseBodies: Object.fromEntries(
      [...errors].map((error) => [error, { contentType: 'APPLICATION_JSON', content: errorBody(error) }]),
    ),
    rules: Object.entries(rules).map(([name, { error, statement }], priority) => ({
      name,
      priority,
      visibilityConfig: { metricName: name, ...metrics },
      statement,
      action: { block: { customResponse: customResponse(error) } },
    })),
  });
  new CfnWebACLAssociation(scope, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
}

/** https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html */
const rateLimit = (counted: CfnWebACL.RateBasedStatementProperty): Rule => ({
  error: 'too_many_requests',
  statement: { rateBasedStatement: { ...counted, evaluationWindowSec: windowSeconds } },
});

/**
 * Returns an error of the contract, which overrides the gateway response.
 * https://docs.aws.amazon.com/waf/latest/developerguide/customizing-the-response-for-blocked-requests.html
 */
function customResponse(error: ErrorCode): CfnWebACL.CustomResponseProperty {
  const retry = error === 'too_many_requests' && { 'Retry-After': `${windowSeconds}` };
  const headers = { ...commonHeaders, ...errorHeaders(error), ...retry };
  return {
    responseCode: errorTable[error].status,
    customResponseBodyKey: error,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}

import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { ErrorCode } from '../../shared/contract/error-table.ts';
import { authorizationPattern } from '../../shared/keys/api-key.ts';
import type { FairUse } from '../settings/fair-use.ts';
import { blockedResponse, webAclWindowSeconds } from './blocked-response.ts';

// Sampled requests would show API keys.
const metrics = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };

/** What a web ACL blocks, and the error that the client gets: shared/contract/error-table.ts has its words. */
interface Rule {
  readonly error: ErrorCode;
  readonly statement: CfnWebACL.StatementProperty;
}

/** The rules in their order, which also name their metrics. */
export const webAclRules = [
  'OversizeHeaders',
  'NoKey',
  'MalformedKey',
  'RequestsPerKey',
  'RequestsPerAddress',
] as const;
export type WebAclRule = (typeof webAclRules)[number];

/** AWS returns the names of headers in lower case; others would be reported as changed by hand. */
const authorization = 'authorization';

/**
 * Blocks what needs no function: a request without a key of the right form gets a 401, on whatever path, and
 * a client or an address with too many requests cannot exhaust a method's limit for everyone.
 */
export function addWebAcl(
  scope: Construct,
  apiStage: Stage,
  { perKey, perAddress }: FairUse,
  keyPrefix: string,
): void {
  const rules: Readonly<Record<WebAclRule, Rule>> = {
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
    // Apart from the next rule, so that its metric shows if that one rejects what clients send.
    NoKey: {
      error: 'unauthorized',
      statement: unless({
        byteMatchStatement: {
          // `Name`, because the CDK capitalizes only what it has a type for.
          fieldToMatch: { singleHeader: { Name: authorization } },
          positionalConstraint: 'CONTAINS',
          searchString: keyPrefix,
          textTransformations: [{ priority: 0, type: 'NONE' }],
        },
      }),
    },
    MalformedKey: {
      error: 'unauthorized',
      statement: unless({
        regexMatchStatement: {
          fieldToMatch: { singleHeader: { Name: authorization } },
          // AWS WAF supports no groups that capture.
          // https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-regex-match.html
          regexString: authorizationPattern(keyPrefix).replaceAll(/[()]/g, ''),
          textTransformations: [{ priority: 0, type: 'NONE' }],
        },
      }),
    },
    RequestsPerKey: rateLimit({
      limit: perKey,
      aggregateKeyType: 'CUSTOM_KEYS',
      customKeys: [
        {
          header: {
            name: authorization,
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
    visibilityConfig: { metricName: Stack.of(scope).stackName, ...metrics },
    customResponseBodies: Object.fromEntries(
      [...errors].map((error) => [
        error,
        { contentType: 'APPLICATION_JSON', content: blockedResponse(error).body },
      ]),
    ),
    rules: webAclRules.map((name, priority) => ({
      name,
      priority,
      visibilityConfig: { metricName: name, ...metrics },
      statement: rules[name].statement,
      action: { block: { customResponse: customResponse(rules[name].error) } },
    })),
  });
  new CfnWebACLAssociation(scope, 'Association', { resourceArn: apiStage.stageArn, webAclArn: acl.attrArn });
}

const unless = (statement: CfnWebACL.StatementProperty): CfnWebACL.StatementProperty => ({
  notStatement: { statement },
});

/** https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html */
const rateLimit = (counted: CfnWebACL.RateBasedStatementProperty): Rule => ({
  error: 'too_many_requests',
  statement: { rateBasedStatement: { ...counted, evaluationWindowSec: webAclWindowSeconds } },
});

/** https://docs.aws.amazon.com/waf/latest/developerguide/customizing-the-response-for-blocked-requests.html */
function customResponse(error: ErrorCode): CfnWebACL.CustomResponseProperty {
  const { status, headers } = blockedResponse(error);
  return {
    responseCode: status,
    customResponseBodyKey: error,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
}

import type { Stage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import { errorBody, errorTable } from '../../shared/contract/errors/error-table.ts';
import type { FairUse } from '../settings/operation-settings.ts';

/** AWS WAF's shortest window, and how long a client can stay blocked after it stops. */
const windowSeconds = 60;

const blocked = 'too_many_requests';

/**
 * Blocks a client or an address that sends too many requests, before it exhausts a method's limit for
 * everyone.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-rule-statement-type-rate-based-high-level-settings.html
 */
export function addWebAcl(scope: Construct, stage: Stage, { perKey, perAddress }: FairUse): void {
  // Sampled requests would show API keys.
  const metrics = { cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false };
  // Overrides the gateway response.
  // https://docs.aws.amazon.com/waf/latest/developerguide/customizing-the-response-for-blocked-requests.html
  const headers = { ...commonHeaders, 'Retry-After': `${windowSeconds}` };
  const customResponse = {
    responseCode: errorTable[blocked].status,
    customResponseBodyKey: blocked,
    responseHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })),
  };
  const rule = (name: string, priority: number, counted: CfnWebACL.RateBasedStatementProperty) => ({
    name,
    priority,
    visibilityConfig: { metricName: name, ...metrics },
    statement: { rateBasedStatement: { ...counted, evaluationWindowSec: windowSeconds } },
    action: { block: { customResponse } },
  });

  const acl = new CfnWebACL(scope, 'Acl', {
    scope: 'REGIONAL',
    defaultAction: { allow: {} },
    visibilityConfig: { metricName: 'PetStore', ...metrics },
    customResponseBodies: { [blocked]: { contentType: 'APPLICATION_JSON', content: errorBody(blocked) } },
    rules: [
      rule('RequestsPerKey', 0, {
        limit: perKey,
        aggregateKeyType: 'CUSTOM_KEYS',
        // Requests without the header are not counted here.
        customKeys: [
          { header: { name: 'Authorization', textTransformations: [{ priority: 0, type: 'NONE' }] } },
        ],
      }),
      rule('RequestsPerAddress', 1, { limit: perAddress, aggregateKeyType: 'IP' }),
    ],
  });
  new CfnWebACLAssociation(scope, 'Association', { resourceArn: stage.stageArn, webAclArn: acl.attrArn });
}

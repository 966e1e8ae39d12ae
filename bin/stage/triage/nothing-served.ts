import { keyPrefixOf } from '../../../infra/key-prefix.ts';
import type { AlarmKind } from '../../../infra/monitoring/alarm-kinds.ts';
import { served, throttled } from '../../../infra/monitoring/request-conditions.ts';
import { before } from '../aws/logs.ts';
import { lastOf, sumOf } from '../aws/requests.ts';
import { command } from '../command.ts';
import { baseUrlOf } from '../read-stage.ts';
import { count, type Step, step } from '../report.ts';
import type { Known } from './facts.ts';
import { type Cause, recentMinutes, tellClients } from './problem.ts';

export const nothingServed: Cause = (known, context) => {
  const { requests, earlier, firing, stack } = known;
  const recent = before(context.now, recentMinutes).from;
  const lastServed = lastOf(requests.filter((own) => served.holds(own) && own.status < 500));
  const usual = (sumOf(earlier) * recentMinutes) / (24 * 60);
  const fires = (...kinds: AlarmKind[]) => firing.some(({ kind }) => kind && kinds.includes(kind));
  const isExpected = usual >= 3 || fires('NothingServed');
  if (!isExpected || (lastServed && lastServed >= recent)) return undefined;
  const isThrottled = fires('MostRequestsThrottled', 'RequestsThrottled') && requests.some(throttled.holds);
  // They explain it, and are named for themselves.
  if (isThrottled || fires('WebAclBlocks')) return undefined;
  const arriving = known.allRequests.filter(({ last }) => last >= recent);
  const isBlocked = sumOf(arriving.filter(({ waf }) => waf === 'WAF_BLOCK')) * 2 > sumOf(arriving);
  const text = 'ask from outside AWS. What the answer means: docs/runbook.md#nothing-is-served';
  const smoke = command`BASE_URL=${baseUrlOf(context, stack)} API_KEY=${keyPrefixOf(context.stage)}… npm run smoke`;
  return {
    says: `No request was served in ${recentMinutes} minutes, and ${count(sumOf(arriving))} arrived.`,
    since: lastServed,
    isUnexplained: true,
    next: [{ text, commands: [smoke] }, ...(isBlocked ? detachWebAcl(stack) : []), tellClients],
  };
};

/** A rule may be wrong: what detaches the web ACL, and what attaches it again, which no deploy does. */
export function detachWebAcl({ idsOf }: Known['stack']): readonly Step[] {
  const [association = ''] = idsOf('AWS::WAFv2::WebACLAssociation');
  const arnOf = (service: string) =>
    association.split('|').find((arn) => arn.includes(`:${service}:`)) ?? `<ARN of ${service}>`;
  return [
    step(
      'on-call',
      'if a rule of the web ACL is wrong, detach it',
      command`aws wafv2 disassociate-web-acl --resource-arn ${arnOf('apigateway')}`,
    ),
    step(
      'on-call',
      'attach it after the deploy that corrects the rule',
      command`aws wafv2 associate-web-acl --resource-arn ${arnOf('apigateway')} --web-acl-arn ${arnOf('wafv2')}`,
    ),
  ];
}

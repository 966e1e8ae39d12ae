import { type AlarmKind, alarmKinds, type Meaning } from '../../../infra/monitoring/alarm-kinds.ts';
import type { Alarm } from '../aws/alarms.ts';
import { command } from '../command.ts';
import { type Step, step } from '../report.ts';
import type { Context, Known } from './facts.ts';
import { type Cause, type Problem, secondPerson, tellClients } from './problem.ts';

type Needed = Pick<Known, 'stack' | 'alarms'>;

/** What to run first for an alarm whose own text says what is wrong. */
const looks: Readonly<Partial<Record<AlarmKind, (known: Needed, context: Context, alarm: Alarm) => Step[]>>> =
  {
    AccessLogEmpty: ({ stack }) => [
      step(
        'on-call',
        'see docs/runbook.md#the-access-log-is-empty',
        command`aws apigateway get-account --query ${`{used: cloudwatchRoleArn, ofStack: '${stack.idsOf('AWS::IAM::Role', 'CloudWatchRole')[0]}'}`}`,
      ),
    ],
    FunctionsThrottled: ({ stack }, _context, { name }) => [
      step(
        'on-call',
        'see docs/runbook.md#functions-or-tables-are-throttled',
        command`aws lambda get-function-concurrency --function-name ${stack.idsOf('AWS::Lambda::Function', name.replace(/^.*-/, ''))[0] ?? '<function>'}`,
      ),
    ],
    NotificationsFail: ({ stack }) => [
      step(
        'on-call',
        'see docs/runbook.md#nobody-was-paged',
        command`aws sns list-subscriptions-by-topic --topic-arn ${stack.outputs['PageTopicArn'] ?? '<topic>'} --query 'Subscriptions[].[Protocol,SubscriptionArn]' --output text`,
      ),
    ],
    CertificateExpiresSoon: seeCertificate,
    CertificateExpires: seeCertificate,
    WebAclBlocks: ({ stack }) => [
      { text: 'see docs/runbook.md#the-web-acl-blocks-clients' },
      ...detachWebAcl(stack),
    ],
  };

function seeCertificate(_known: Needed, { settings: { domain } }: Context): Step[] {
  return [
    step(
      'on-call',
      'see docs/runbook.md#the-certificate-expires',
      command`aws acm describe-certificate --certificate-arn ${domain?.certificateArn ?? '<certificate>'} --query 'Certificate.[Type,Status,NotAfter,InUseBy,RenewalSummary,DomainValidationOptions]'`,
    ),
  ];
}

/** A rule may be wrong: what detaches the web ACL, and what attaches it again, which no deploy does. */
export function detachWebAcl({ idsOf }: Known['stack']): Step[] {
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

export const fires = ({ alarms }: Pick<Known, 'alarms'>, kinds: readonly AlarmKind[]): boolean =>
  alarms.firing.some(({ kind }) => kind && kinds.includes(kind));

/** Returns what those of some alarms say that fire. The first kind is the most important one. */
export function alarmProblem(
  kinds: readonly AlarmKind[],
  known: Needed,
  context: Context,
): Problem | undefined {
  const kind = kinds.find((own) => fires(known, [own]));
  if (!kind) return undefined;
  const firing = known.alarms.firing.filter((alarm) => alarm.kind && kinds.includes(alarm.kind));
  const [first] = firing.filter((alarm) => alarm.kind === kind);
  const { says, section, mayFollowRelease = false }: Meaning = alarmKinds[kind];
  const page = [secondPerson, tellClients];
  const see = section === 'a-page' ? page : [{ text: `see docs/runbook.md#${section}` }];
  return {
    says: `${firing.map(({ name }) => name).join(', ')}: ${says}.`,
    firstSign: mayFollowRelease ? first?.since : undefined,
    mayFollowRelease,
    next: (first && looks[kind]?.(known, context, first)) ?? see,
  };
}

export const unknownAlarms: Cause = ({ alarms }) => {
  const names = alarms.firing.flatMap(({ kind, name }) => (kind ? [] : [name]));
  if (names.length === 0) return undefined;
  return { says: `${names.join(', ')}: this version knows no such alarm.`, next: [secondPerson] };
};

export const alarmsWithoutData: Cause = ({ alarms: { withoutData } }) => {
  if (withoutData.length === 0) return undefined;
  return {
    says: `Alarms without data, which do not say that all is well: ${withoutData.join(', ')}.`,
    next: [
      {
        text: 'unless they or what they watch are new, look for what changed: docs/runbook.md#changed-by-hand',
      },
    ],
  };
};

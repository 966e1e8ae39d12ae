import { type AlarmKind, alarmKinds } from '../../../infra/monitoring/alarm-kinds.ts';
import type { Alarm } from '../aws/alarms.ts';
import { command } from '../command.ts';
import { type Step, step } from '../report.ts';
import type { Context, Known } from './facts.ts';
import type { Cause, Problem } from './problem.ts';

type Needed = Pick<Known, 'firing' | 'stack'>;

/** What to run first for an alarm whose own text says what is wrong. */
const looks: Readonly<Partial<Record<AlarmKind, (alarm: Alarm, known: Needed, context: Context) => Step>>> = {
  AccessLogEmpty: (_alarm, { stack }) =>
    step(
      'on-call',
      'see docs/runbook.md#the-access-log-is-empty',
      command`aws apigateway get-account --query ${`{used: cloudwatchRoleArn, ofStack: '${stack.idsOf('AWS::IAM::Role', 'CloudWatchRole')[0]}'}`}`,
    ),
  FunctionsThrottled: ({ name }, { stack }) =>
    step(
      'on-call',
      'see docs/runbook.md#functions-or-tables-are-throttled',
      command`aws lambda get-function-concurrency --function-name ${stack.idsOf('AWS::Lambda::Function', name.replace(/^.*-/, ''))[0] ?? '<function>'}`,
    ),
  NotificationsFail: (_alarm, { stack }) =>
    step(
      'on-call',
      'see docs/runbook.md#nobody-was-paged',
      command`aws sns list-subscriptions-by-topic --topic-arn ${stack.outputs['PageTopicArn'] ?? '<topic>'} --query 'Subscriptions[].[Protocol,SubscriptionArn]' --output text`,
    ),
  CertificateExpiresSoon: seeCertificate,
  CertificateExpires: seeCertificate,
  Release: (_alarm, _known, { stage }) =>
    step('on-call', 'see how to go back', command`npm run stage -- rollback ${stage}`),
};

function seeCertificate(_alarm: Alarm, _known: Needed, { settings: { domain } }: Context): Step {
  return step(
    'on-call',
    'see docs/runbook.md#the-certificate-expires',
    command`aws acm describe-certificate --certificate-arn ${domain?.certificateArn ?? '<certificate>'} --query 'Certificate.[Type,Status,NotAfter,InUseBy,RenewalSummary,DomainValidationOptions]'`,
  );
}

/** Returns the problem that an alarm of a kind names, if one fires. */
export function firingProblem(kind: AlarmKind, known: Needed, context: Context): Problem | undefined {
  const alarm = known.firing.find((own) => own.kind === kind);
  if (!alarm) return undefined;
  const { says, section } = alarmKinds[kind];
  const next = looks[kind]?.(alarm, known, context) ?? { text: `see docs/runbook.md#${section}` };
  return { says: `${alarm.name}: ${says}.`, next: [next] };
}

export const alarm =
  (kind: AlarmKind): Cause =>
  (known, context) =>
    firingProblem(kind, known, context);

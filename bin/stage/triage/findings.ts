import type { AlarmKind } from '../../../infra/monitoring/alarm-kinds.ts';
import { before } from '../aws/logs.ts';
import { command } from '../command.ts';
import { infer, together } from '../fact.ts';
import { concluded, type Finding, finding, formatTime, type Step, step } from '../report.ts';
import { shortCommit } from '../rollback/release-path.ts';
import { alarmProblem, alarmsWithoutData, unknownAlarms } from './alarms.ts';
import { nothingServed, requestsRejected, requestsThrottled } from './client-requests.ts';
import { type Context, type Facts, type Known, suspiciousMinutes } from './facts.ts';
import { damagedItems, failureAlarms, requestsFail } from './failing-requests.ts';
import { keysRefused, servedWithoutKey, unknownKeys } from './keys.ts';
import { lostIndex, lostTable } from './lost-tables.ts';
import type { Cause, Problem } from './problem.ts';

/** How far back `triage` can look. */
const mostMinutes = 24 * 60;

const seeRollback = (stage: string) => command`npm run stage -- rollback ${stage}`;

const updating = /(?<!CLEANUP)_IN_PROGRESS$/;

const stackIn =
  (states: RegExp, text: string): Cause =>
  ({ stack: { status, since } }, { stage }) =>
    states.test(status)
      ? {
          says: `The stack is in ${status}. Its last update began at ${since && formatTime(since)}.`,
          next: [step('on-call', text, seeRollback(stage))],
        }
      : undefined;

const onlyAlarms: Cause = () => undefined;

/**
 * What may be wrong, the most important first: how other figures show it, and the alarms that name it if these do not.
 */
const topics: readonly (readonly [Cause, ...AlarmKind[]])[] = [
  [lostTable],
  [lostIndex],
  [stackIn(/FAILED$|^DELETE_/, 'see what to do')],
  // Without the log, nothing is known of requests.
  [onlyAlarms, 'AccessLogEmpty'],
  [servedWithoutKey],
  [onlyAlarms, 'FunctionsThrottled'],
  [requestsFail, ...failureAlarms],
  [keysRefused],
  [nothingServed, 'NothingServed'],
  [onlyAlarms, 'LatencyBurnsFast'],
  [onlyAlarms, 'CertificateExpiresSoon'],
  [onlyAlarms, 'WebAclBlocks'],
  [requestsThrottled, 'MostRequestsThrottled', 'RequestsThrottled'],
  [requestsRejected],
  [damagedItems, 'DamagedItems'],
  [onlyAlarms, 'RequestsRejected'],
  [onlyAlarms, 'TablesThrottled'],
  [unknownKeys, 'KeysRefused'],
  [onlyAlarms, 'OperationSlow'],
  [onlyAlarms, 'Release'],
  [onlyAlarms, 'AvailabilityBurnsForDays'],
  [onlyAlarms, 'CertificateExpires'],
  [onlyAlarms, 'NotificationsFail'],
  [unknownAlarms],
  [stackIn(/ROLLBACK_COMPLETE/, 'see why, and what follows')],
  [stackIn(updating, 'if this lasts longer than the 45 minutes of a release, see how to stop it')],
  [alarmsWithoutData],
];

/** Returns what the facts show, the most important first. */
export function findingsOf(facts: Facts, context: Context): readonly Finding[] {
  const found = topics.flatMap(([find, ...kinds]) => {
    const shown = infer(facts, (known) => find(known, context));
    if ((shown.isRead && shown.value) || kinds.length === 0) return [shown];
    return [shown, infer(facts, (known) => alarmProblem(kinds, known, context))];
  });
  const all = together(Object.fromEntries(found.entries()));
  // What could not be read may hide something more important than what comes after it.
  const unread = all.isRead ? [] : concluded(all);
  const findings = found.flatMap((fact) => {
    if (!fact.isRead) return unread;
    return fact.value ? [withReleases(facts, context, fact.value)] : [];
  });
  const different = [...new Map(findings.map((own) => [own.says, own])).values()];
  return different.length > 0 ? different : [nothing];
}

const nothing = finding('Nothing is wrong, as far as the figures show it, which do not show wrong answers.', {
  text: 'if a client reports a problem: docs/runbook.md#a-client-reports-a-problem',
});

/** Adds which releases came right before a problem. Whether they are to blame, nothing here says. */
function withReleases(facts: Facts, context: Context, { says, since, next }: Problem): Finding {
  const { stage, now, minutes } = context;
  if (!since) return finding(says, ...next);
  const { from } = before(now, minutes);
  if (since >= from && since < before(now, minutes - 5).from) {
    const lookBack = command`npm run stage -- triage ${stage} --minutes ${Math.min(4 * minutes, mostMinutes)}`;
    const further = minutes < mostMinutes ? [step('on-call', 'look back further', lookBack)] : [];
    return finding(`${says} It may have begun before.`, ...further, ...next);
  }
  const steps = infer(facts, (known) => releasesBefore(known, stage, since));
  if (!steps.isRead) return finding(`${says} Whether a release came before could not be read.`, ...next);
  if (steps.value.length > 0) return finding(says, ...steps.value, ...next);
  return finding(`${says} No release came in the ${suspiciousMinutes} minutes before.`, ...next);
}

/** Returns the steps away from releases right before an instant. */
function releasesBefore({ releases, stack }: Known, stage: string, instant: Date): readonly Step[] {
  const steps = releases.map((release, index) => {
    const earlier = releases[index + 1];
    const away =
      index === 0 || !earlier
        ? seeRollback(stage)
        : command`npm run stage -- rollback ${stage} --to ${earlier.commit}`;
    return { at: release.at, what: `the release of ${shortCommit(release)}`, away };
  });
  // A release in progress may not have recorded itself yet.
  const update = { at: stack.since, what: 'an update that is in progress', away: seeRollback(stage) };
  return [...(updating.test(stack.status) ? [update] : []), ...steps].flatMap(({ at, what, away }) => {
    const minutes = at ? Math.round((instant.getTime() - at.getTime()) / 60_000) : Number.NaN;
    // A release records itself some minutes before or after its functions serve.
    if (!(minutes > -5 && minutes <= suspiciousMinutes)) return [];
    const when = minutes < 0 ? `${-minutes} min after that` : `${minutes} min before`;
    return [step('on-call', `${what} came ${when}: see how to go back`, away)];
  });
}

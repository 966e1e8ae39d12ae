import type { AlarmKind } from '../../../infra/monitoring/alarm-kinds.ts';
import { infer, together } from '../fact.ts';
import { concluded, type Finding, finding, formatTime, step } from '../report.ts';
import { alarmProblem, alarmsWithoutData, unknownAlarms } from './alarms.ts';
import { nothingServed, requestsRejected, requestsThrottled } from './client-requests.ts';
import type { Context, Facts } from './facts.ts';
import { damagedItems, failureAlarms, requestsFail } from './failing-requests.ts';
import { keysRefused, servedWithoutKey, unknownKeys } from './keys.ts';
import { lostIndex, lostTable } from './lost-tables.ts';
import type { Cause } from './problem.ts';
import { seeRollback, updating, withChanges } from './right-before.ts';

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
 * What may be wrong, the most important first: how other figures show it, and the alarms that name it if these do not:
 * an alarm is silent once its cause speaks.
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
    return fact.value ? [withChanges(facts, context, fact.value)] : [];
  });
  const different = [...new Map(findings.map((own) => [own.says, own])).values()];
  return different.length > 0 ? different : [nothing];
}

const nothing = finding('Nothing is wrong, as far as the figures show it, which do not show wrong answers.', {
  text: 'if a client reports a problem: docs/runbook.md#a-client-reports-a-problem',
});

import { noValue } from '../../../infra/monitoring/request-conditions.ts';
import { firstOf, type RequestGroup, sumOf } from '../aws/requests.ts';
import { command } from '../command.ts';
import { count, formatTime, step } from '../report.ts';
import { requestsFail } from './failing-requests.ts';
import { alarm } from './firing.ts';
import { refusedKeys } from './groups.ts';
import { lostIndex, lostTable } from './lost-tables.ts';
import { nothingServed } from './nothing-served.ts';
import { type Cause, secondPerson, tellClients } from './problem.ts';

/** The stack accepts no update, or is being deleted. */
const stuckStack: Cause = (known, { stage }) => {
  const { status } = known.stack;
  if (!/FAILED$|^DELETE_/.test(status)) return undefined;
  const next = [step('on-call', 'see what to do', command`npm run stage -- rollback ${stage}`), secondPerson];
  if (!status.endsWith('FAILED')) return { says: `The stack is in ${status}.`, next };
  return { says: `The stack is in ${status}. ${known.cause}`, next };
};

/** Somebody has detached the authorizer, without which creates fail, and reads do not. */
const servedWithoutKey: Cause = ({ requests }) => {
  const open = requests.filter(({ client, status }) => client === noValue && status < 400);
  if (open.length === 0) return undefined;
  const says = `${count(sumOf(open))} requests were served without a key.`;
  return { says, since: firstOf(open), isUnexplained: true, next: [secondPerson, tellClients] };
};

/** Keys that were served: a release or a change denies them, or their table was emptied. */
const allKeysRefused: Cause = (known, { stage }) => {
  const refused = (requests: readonly RequestGroup[]) =>
    refusedKeys([...known.earlier, ...requests], known.denied);
  if (!refused(known.requests).isAll) return undefined;
  const { keys, since } = refused(known.allRequests);
  if (!since) return undefined;
  const list = step(
    'keys',
    'see the keys. If none is listed, their table was emptied: docs/restore.md#keys-are-missing',
    command`npm run keys -- list --stage ${stage} --client ${keys[0]?.client ?? '<client>'}`,
  );
  return {
    says: `All ${keys.length} keys are refused since ${formatTime(since)}.`,
    since,
    next: [list, tellClients],
  };
};

/** Why requests fail or are not served. The first one explains those after it. */
export const outages: readonly Cause[] = [
  lostTable,
  lostIndex,
  stuckStack,
  // Without the log, nothing is known of requests.
  alarm('AccessLogEmpty'),
  servedWithoutKey,
  requestsFail,
  allKeysRefused,
  nothingServed,
];

import { alarmKinds } from '../../../infra/monitoring/alarm-kinds.ts';
import {
  denied as deniedRequests,
  noValue,
  throttled,
} from '../../../infra/monitoring/request-conditions.ts';
import { before } from '../aws/logs.ts';
import { sumBy, sumOf } from '../aws/requests.ts';
import { command } from '../command.ts';
import { count, formatTime, step } from '../report.ts';
import { damage } from './failing-requests.ts';
import { alarm, firingProblem } from './firing.ts';
import { refusedKeys, rejectedCalls } from './groups.ts';
import { buildingIndex } from './lost-tables.ts';
import { detachWebAcl } from './nothing-served.ts';
import { type Cause, secondPerson, tellClients } from './problem.ts';

/** How long a release takes at most: a canary of 15 minutes, and everything before and after it. */
const releaseMinutes = 45;

export const isUpdating = (status: string) => /_IN_PROGRESS$/.test(status) && !status.includes('CLEANUP');

const longUpdate: Cause = ({ stack: { status, since } }, { stage, now }) =>
  isUpdating(status) && since && since < before(now, releaseMinutes).from
    ? {
        says: `The stack is in ${status} since ${formatTime(since)}, and a release takes ${releaseMinutes} minutes at most.`,
        next: [step('on-call', 'see how to end it', command`npm run stage -- rollback ${stage}`)],
      }
    : undefined;

const throttledRequests: Cause = ({ requests, firing }) => {
  const isFiring = firing.some(
    ({ kind }) => kind === 'MostRequestsThrottled' || kind === 'RequestsThrottled',
  );
  const groups = requests.filter(throttled.holds);
  const [most] = sumBy(groups, ({ client }) => client);
  if (!isFiring || !most) return undefined;
  const isOne = most.value !== noValue && most.count * 2 > sumOf(groups);
  const one = isOne ? most.value : '';
  return {
    says: `${count(sumOf(groups))} requests got a 429, ${one ? `most of them of ${one}` : 'of no single client'}.`,
    next: [{ text: 'see docs/runbook.md#requests-are-throttled' }],
  };
};

const someKeysRefused: Cause = ({ requests, earlier, denied }, { stage }) => {
  const { keys, isAll } = refusedKeys([...earlier, ...requests], denied);
  if (keys.length === 0 || isAll) return undefined;
  const clients = [...new Set(keys.map(({ client }) => client))];
  return {
    says: `Keys that were served are refused: ${keys.length}, of ${clients.slice(0, 5).join(', ')}. They expired, were revoked, or are gone.`,
    next: [
      step(
        'keys',
        'see which, and contact the client. If they are not listed: docs/restore.md#keys-are-missing',
        command`npm run keys -- list --stage ${stage} --client ${clients[0] ?? '<client>'}`,
      ),
    ],
  };
};

const requestsRejected: Cause = ({ requests, earlier }) => {
  const rejected = rejectedCalls(requests, earlier);
  if (!rejected[0]) return undefined;
  return {
    says: `Most requests of ${rejected
      .map(({ call }) => call)
      .slice(0, 5)
      .join(', ')} are rejected, unlike before.`,
    since: rejected[0].first,
    next: [{ text: 'tell the client what is wrong: docs/runbook.md#requests-are-rejected' }],
  };
};

const damagedItems: Cause = (known) => damage(known);

/** Nobody has used these keys in a day, so that no client is affected. */
const madeUpKeys: Cause = (known) => {
  if (!known.firing.some(({ kind }) => kind === 'KeysRefused')) return undefined;
  const { allRequests, earlier, denied } = known;
  if (refusedKeys([...earlier, ...allRequests], denied).keys.length > 0) return undefined;
  const refused = allRequests.filter(deniedRequests.holds);
  return {
    says: `Made-up keys: none of those in ${count(sumOf(refused))} refused requests was served in a day. Clients do not notice.`,
    next: [{ text: 'nothing to do' }],
  };
};

const webAclBlocks: Cause = (known, context) => {
  const problem = firingProblem('WebAclBlocks', known, context);
  return problem && { ...problem, next: [...problem.next, ...detachWebAcl(known.stack)] };
};

/** What can happen beside an outage, and beside each other. */
export const troubles: readonly Cause[] = [
  alarm('Release'),
  // Its deploy takes long.
  buildingIndex,
  longUpdate,
  throttledRequests,
  someKeysRefused,
  requestsRejected,
  damagedItems,
  // Their cause may be a client, so that a release before them says nothing.
  alarm('RequestsRejected'),
  alarm('TablesThrottled'),
  alarm('FunctionsThrottled'),
  madeUpKeys,
  webAclBlocks,
  alarm('CertificateExpiresSoon'),
  alarm('CertificateExpires'),
  alarm('NotificationsFail'),
];

/** An alarm whose cause leaves no other trace, such as slow responses. */
const otherAlarm: Cause = ({ firing: [first] }) => {
  if (!first) return undefined;
  const { name, kind, since } = first;
  if (!kind)
    return { says: `${name} fires, an alarm that this version does not know.`, next: [secondPerson] };
  const { says, section } = alarmKinds[kind];
  return {
    says: `${name}: ${says}.`,
    since,
    within: 120,
    isUnexplained: true,
    next: section === 'a-page' ? [secondPerson, tellClients] : [{ text: `see docs/runbook.md#${section}` }],
  };
};

const failedUpdate: Cause = (known, { stage }) =>
  known.stack.status.endsWith('ROLLBACK_COMPLETE')
    ? {
        says: `The last update of the stack failed. ${known.cause}`,
        next: [step('on-call', 'see what follows', command`npm run stage -- rollback ${stage}`)],
      }
    : undefined;

/** What is named if nothing else is found. */
export const remainders: readonly Cause[] = [otherAlarm, failedUpdate];

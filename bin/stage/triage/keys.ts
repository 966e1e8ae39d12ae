import { noValue, denied as withRefusedKey } from '../../../infra/monitoring/request-conditions.ts';
import {
  firstOf,
  isAccepted,
  isMuchOf,
  keyIdsOf,
  lastOf,
  type RequestGroup,
  sumOf,
} from '../aws/requests.ts';
import { command } from '../command.ts';
import { count, formatTime, step } from '../report.ts';
import { type Cause, secondPerson, tellClients } from './problem.ts';

/** How long API Gateway may use an earlier answer of the authorizer, with some time for the log. */
const cacheMilliseconds = 2 * 60 * 1000;

/** Keys that were accepted expired, were revoked, or are gone, or a release denies them. */
export const keysRefused: Cause = ({ requests, earlier, denied }, { stage }) => {
  const accepted = [...earlier, ...requests].filter(isAccepted);
  const isOver = (groups: readonly RequestGroup[], since: Date) =>
    (lastOf(groups)?.getTime() ?? 0) <= since.getTime() + cacheMilliseconds;
  const keys = keyIdsOf(accepted).flatMap((keyId) => {
    const own = accepted.filter((group) => group.keyId === keyId);
    const first = firstOf(denied.filter((key) => key.keyId === keyId));
    return first && isOver(own, first) ? [{ first, client: own[0]?.client ?? '' }] : [];
  });
  const since = firstOf(keys);
  if (!since) return undefined;
  const isAll = isOver(accepted, since);
  const clients = [...new Set(keys.map(({ client }) => client))];
  return {
    says: `Keys that were accepted are refused, at the latest since ${formatTime(since)}: ${keys.length}, of ${clients.slice(0, 5).join(', ')}. ${isAll ? 'No key was' : 'Others were'} accepted after that.`,
    since: isAll ? since : undefined,
    next: [
      step(
        'keys',
        'see whether they expired, were revoked, or are gone (docs/restore.md#keys-are-missing)',
        command`npm run keys -- list --stage ${stage} --client ${clients[0] ?? '<client>'}`,
      ),
      ...(isAll ? [tellClients] : []),
    ],
  };
};

export const unknownKeys: Cause = ({ requests, denied }) => {
  const refused = requests.filter(withRefusedKey.holds);
  if (!isMuchOf(requests, refused) || denied.length > 0) return undefined;
  return {
    says: `${count(sumOf(refused))} requests had a refused key. The authorizer logged no denial of a key that it accepted in the day before.`,
    next: [{ text: 'see docs/runbook.md#keys-are-refused' }],
  };
};

/** Somebody has detached the authorizer, without which creates fail, and reads do not. */
export const servedWithoutKey: Cause = ({ requests }) => {
  const open = requests.filter(({ client, status }) => client === noValue && status >= 200 && status < 400);
  if (open.length === 0) return undefined;
  const says = `${count(sumOf(open))} requests were served without a key.`;
  return { says, since: firstOf(open), next: [secondPerson, tellClients] };
};

import { noValue, denied as withRefusedKey } from '../../../infra/monitoring/request-conditions.ts';
import { firstOf, isAccepted, isMuchOf, sumOf } from '../aws/requests.ts';
import { command } from '../command.ts';
import { count, formatTime, step } from '../report.ts';
import { type Cause, secondPerson, tellClients } from './problem.ts';

/** Keys that were accepted expired, were revoked, or are gone, or a release denies them. */
export const keysRefused: Cause = ({ requests, earlier, denied }, { stage }) => {
  const first = firstOf(denied);
  if (!first) return undefined;
  const accepted = [...earlier, ...requests].filter(isAccepted);
  const ofDenied = accepted.filter(({ keyId }) => denied.some((key) => key.keyId === keyId));
  const clients = [...new Set(ofDenied.map(({ client }) => client))];
  const areSeveral = clients.length > 1;
  return {
    says: `Keys that were accepted in the day before were denied ${count(sumOf(denied))} times since ${formatTime(first)}: ${denied.length}, of ${clients.slice(0, 5).join(', ')}.`,
    firstSign: first,
    mayFollowRelease: areSeveral,
    next: [
      step(
        'keys',
        'see whether they expired, were revoked, or are gone (bin/stage/restore.md#keys-are-missing)',
        command`npm run keys -- list --stage ${stage} --client ${clients[0] ?? '<client>'}`,
      ),
      ...(areSeveral ? [tellClients] : []),
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
  return { says, firstSign: firstOf(open), mayFollowRelease: true, next: [secondPerson, tellClients] };
};

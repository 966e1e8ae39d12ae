import { keyPrefixOf } from '../../../infra/key-prefix.ts';
import { noValue, served, throttled } from '../../../infra/monitoring/request-conditions.ts';
import { before } from '../aws/logs.ts';
import { firstOf, isMuchOf, lastOf, operationOf, type RequestGroup, sumBy, sumOf } from '../aws/requests.ts';
import { command } from '../command.ts';
import { baseUrlOf } from '../read-stage.ts';
import { count, formatTime } from '../report.ts';
import { detachWebAcl, fires } from './alarms.ts';
import { type Cause, tellClients } from './problem.ts';

const recentMinutes = 15;

export const nothingServed: Cause = (known, context) => {
  const { requests, earlier } = known;
  const recent = before(context.now, recentMinutes).from;
  const lastServed = lastOf([...earlier, ...requests].filter((own) => served.holds(own) && own.status < 500));
  if (lastServed && lastServed >= recent) return undefined;
  const usual = (sumOf(earlier.filter(served.holds)) * recentMinutes) / (24 * 60);
  if (usual < 3 && !fires(known, ['NothingServed'])) return undefined;
  const arriving = requests.filter(({ last }) => last >= recent);
  const isBlocked = sumOf(arriving.filter(({ waf }) => waf === 'WAF_BLOCK')) * 2 > sumOf(arriving);
  return {
    says: `By the access log, no request was served ${lastServed ? `after ${formatTime(lastServed)}` : 'for a day'}, and in the last ${recentMinutes} minutes, ${arriving.length > 0 ? 'some' : 'none'} arrived.`,
    firstSign: lastServed,
    mayFollowRelease: true,
    next: [
      {
        text: 'ask from outside AWS. What the answer means: docs/runbook.md#nothing-is-served',
        commands: [
          command`BASE_URL=${baseUrlOf(context, known.stack)} API_KEY=${keyPrefixOf(context.stage)}… npm run smoke`,
        ],
      },
      ...(isBlocked ? detachWebAcl(known.stack) : []),
      tellClients,
    ],
  };
};

export const requestsThrottled: Cause = ({ requests }) => {
  const groups = requests.filter(throttled.holds);
  const total = sumOf(groups);
  const [most] = sumBy(groups, ({ client }) => client);
  if (!most || !isMuchOf(requests, groups)) return undefined;
  const isOne = most.value !== noValue && most.count * 2 > total;
  return {
    says: `${count(total)} requests got a 429, ${isOne ? `most of them of ${most.value}` : 'of no single client'}.`,
    next: [{ text: 'see docs/runbook.md#requests-are-throttled' }],
  };
};

const isRejected = ({ status }: RequestGroup) =>
  status >= 400 && status < 500 && status !== 404 && status !== 429;

/** Finds the clients most of whose calls of an operation are rejected now, and hardly any the day before. */
export const requestsRejected: Cause = ({ requests, earlier }) => {
  const callOf = (group: RequestGroup) => `${operationOf(group)} by ${group.client}`;
  const withClient = requests.filter(({ client }) => client !== noValue);
  const rejected = sumBy(withClient, callOf).flatMap(({ value: call, groups, count: total }) => {
    const own = groups.filter(isRejected);
    const day = earlier.filter((group) => callOf(group) === call);
    const isMost = sumOf(own) >= 10 && sumOf(own) > total / 2;
    const isNew = sumOf(day) > 0 && sumOf(day.filter(isRejected)) < sumOf(day) / 10;
    return isMost && isNew ? [{ call, first: firstOf(own) }] : [];
  });
  const [most] = rejected;
  if (!most) return undefined;
  const calls = rejected.slice(0, 5).map(({ call }) => call);
  return {
    says: `Most requests of ${calls.join(', ')} are rejected, unlike in the day before.`,
    firstSign: most.first,
    mayFollowRelease: true,
    next: [{ text: 'tell the client what is wrong: docs/runbook.md#requests-are-rejected' }],
  };
};

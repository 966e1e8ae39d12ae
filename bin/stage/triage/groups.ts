import { failed, noValue } from '../../../infra/monitoring/request-conditions.ts';
import { errorTable } from '../../../shared/contract/error-table.ts';
import { damagedItemMessage } from '../../../shared/tables/stored-item.ts';
import {
  type DeniedKey,
  firstOf,
  type LogGroup,
  lastOf,
  operationOf,
  type RequestGroup,
  sumBy,
  sumOf,
} from '../aws/requests.ts';

/** A damaged item is logged itself, and once more as the error of a request that needs it. */
export const isOfDamage = ({ event, text }: LogGroup) => [event, text].includes(damagedItemMessage);

/** The authorizer logs with an error what handlers log as event, and Lambda logs that error once more. */
export const isOfDatabase = ({ event, text }: LogGroup) =>
  [event, text].includes(errorTable.service_unavailable.message);

/**
 * The codes of a table or an index at its limit.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
 */
const throttleCodes = [
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
];

export const isOfThrottle = ({ error, cause }: LogGroup) =>
  throttleCodes.includes(error) || throttleCodes.includes(cause);

const describe = ({ code, error, text }: LogGroup) => [code, error, text].filter(Boolean).join(', ');

/** Returns what failed, how most of it did, and since when and until when. */
export function failuresOf(requests: readonly RequestGroup[], log: readonly LogGroup[]) {
  const own = requests.filter(failed.holds);
  const responseOf = ({ status, responseType }: RequestGroup) =>
    responseType === noValue ? `${status}` : `${status} ${responseType}`;
  const [error] = sumBy(log, describe);
  const [response] = sumBy(own, responseOf);
  // What fails before a function runs logs nothing.
  const most = error && error.count * 2 >= sumOf(own) ? error : response;
  const groups: readonly (LogGroup | RequestGroup)[] = most?.groups ?? [];
  const [largest] = groups.toSorted((a, b) => b.count - a.count);
  return {
    requests: own,
    error: most?.value,
    began: firstOf(groups),
    ended: largest?.last,
  };
}

/** How long API Gateway may use an earlier answer of the authorizer, with some time for the log. */
const cacheMilliseconds = 2 * 60 * 1000;

/** Returns the requests that keys have made with success. */
export const usesOf = (requests: readonly RequestGroup[]) =>
  requests.filter(({ keyId, status }) => keyId !== noValue && status < 400);

/** Finds the keys that were served and that the authorizer now denies, with their clients. */
export function refusedKeys(requests: readonly RequestGroup[], denied: readonly DeniedKey[]) {
  const uses = usesOf(requests);
  const isOver = (groups: readonly RequestGroup[], since: Date) =>
    (lastOf(groups)?.getTime() ?? 0) <= since.getTime() + cacheMilliseconds;
  const keys = [...Map.groupBy(uses, ({ keyId }) => keyId)].flatMap(([keyId, own]) => {
    const since = firstOf(denied.filter((key) => key.keyId === keyId));
    if (!since || !isOver(own, since)) return [];
    return [{ keyId, client: own[0]?.client ?? '', first: since, served: sumOf(own) }];
  });
  const since = firstOf(keys);
  /** Whether no other key is served either. */
  return { keys, since, isAll: since !== undefined && isOver(uses, since) };
}

/** Finds the clients most of whose calls of an operation are rejected now, and hardly any the day before. */
export function rejectedCalls(requests: readonly RequestGroup[], earlier: readonly RequestGroup[]) {
  const isRejected = ({ status }: RequestGroup) =>
    status >= 400 && status < 500 && status !== 404 && status !== 429;
  const callOf = (group: RequestGroup) => `${operationOf(group)} by ${group.client}`;
  const withClient = requests.filter(({ client }) => client !== noValue);
  return sumBy(withClient, callOf).flatMap(({ value: call, groups, count: total }) => {
    const rejected = groups.filter(isRejected);
    const before = earlier.filter((group) => callOf(group) === call);
    const isMost = sumOf(rejected) >= 10 && sumOf(rejected) > total / 2;
    const isNew = sumOf(before) > 0 && sumOf(before.filter(isRejected)) < sumOf(before) / 10;
    return isMost && isNew ? [{ call, count: sumOf(rejected), first: firstOf(rejected) }] : [];
  });
}

import type { StageSettings } from '../../infra/settings/stages.ts';
import {
  type Point,
  type Release,
  type readAlarms,
  type readApiStage,
  type readChanges,
  type Stack,
  sumOf,
} from './aws.ts';
import { isServed, type LogGroup, type RequestGroup, requestsOf, type Total } from './requests.ts';
import type { UsedTable } from './tables.ts';

type Read<F extends (...args: never[]) => unknown> = Awaited<ReturnType<F>> | undefined;

/** What is known of a stage. What could not be read is undefined. */
export interface TriageFacts {
  readonly stage: string;
  readonly settings: StageSettings;
  readonly stack: Stack | undefined;
  readonly now: Date;
  readonly minutes: number;
  readonly alarms: Read<typeof readAlarms>;
  readonly releases: readonly Release[] | undefined;
  readonly byHand: Read<typeof readChanges>;
  /** The requests of the last minutes, and of the day before them. */
  readonly requests: readonly RequestGroup[] | undefined;
  readonly earlier: readonly RequestGroup[] | undefined;
  readonly log: readonly LogGroup[] | undefined;
  readonly tables: readonly UsedTable[] | undefined;
  /** How often Lambda refused to run a function, and DynamoDB a read or write, by their names. */
  readonly throttles: readonly Total[] | undefined;
  /** How many requests API Gateway itself counts per minute of three days, and how many of them failed. */
  readonly counted: readonly Point[] | undefined;
  readonly countedFailures: readonly Point[] | undefined;
  readonly apiStage: Read<typeof readApiStage>;
}

/** The facts with what follows from them. */
export type Seen = TriageFacts & ReturnType<typeof derive>;

/** How far back the minutes of failures are read. */
export const daysOfMinutes = 3;

const minute = 60_000;

/** Counts what the requests and the log show together. */
export function derive(facts: TriageFacts) {
  const { requests = [], earlier = [], log = [], alarms = [], now, minutes } = facts;
  const recent = new Date(now.getTime() - recentMinutes(facts) * minute);
  /** Those of a kind, and whether they are more than chance or what is usual. */
  const part = (isOfKind: (group: RequestGroup) => boolean) => {
    const groups = requests.filter(isOfKind);
    const usual = (requestsOf(earlier.filter(isOfKind)) * minutes) / (24 * 60);
    const total = requestsOf(groups);
    return { groups, total, usual, isUnusual: total > Math.max(9, served / 20, 3 * usual) };
  };
  const served = requestsOf(requests.filter(isServed));
  const failed = part(({ status }) => status >= 500);
  const firing = alarms.filter(({ state }) => state === 'ALARM');
  const isAlarming = firing.some(({ name }) =>
    /^(Availability|GatewayErrors|Operation(Down|Fails))/.test(name),
  );
  const share = failed.total / Math.max(1, served);
  const isMore = failed.total > 2 * failed.usual + 4;
  return {
    served,
    failed,
    share,
    firing,
    /** Fewer failures can be a client's mistake, or chance. */
    isMuch: failed.total >= 5 && share > 0.001 && (isMore || share > 0.1 || isAlarming),
    began: beginningOf(facts),
    lastServed: latest(requests.filter((group) => isServed(group) && group.status < 500)),
    recent: requests.filter(({ last }) => last >= recent),
    recentlyCounted: sumOf(facts.counted?.filter(({ at }) => at >= recent) ?? []),
    failures: log.filter(({ isFailure }) => isFailure),
    throttled: part(({ status, waf }) => status === 429 && waf !== 'WAF_BLOCK'),
    blocked: part(({ waf }) => waf === 'WAF_BLOCK'),
    denied: part(({ responseType }) => responseType === 'ACCESS_DENIED'),
    ...refusedKeys(requests, earlier, log),
    rejectedClients: rejectedClients(requests, earlier),
  };
}

/** What has not happened for this long does not happen any more. */
export const recentMinutes = ({ minutes }: TriageFacts) => Math.min(15, minutes);

/** Finds when requests began to fail: in the last hour, or else further back. */
function beginningOf({ counted = [], countedFailures = [], now }: TriageFacts): Date | undefined {
  for (const hours of [1, 4, 24, 24 * daysOfMinutes]) {
    const isWithin = ({ at }: Point) => at.getTime() >= now.getTime() - hours * 60 * minute;
    const began = turningPoint(counted.filter(isWithin), countedFailures.filter(isWithin));
    if (began) return began;
  }
  return undefined;
}

/**
 * Finds the minute before which there were the fewest failures, compared with their share in the period.
 * Undefined if there were as many from the start, as far as chance lets one tell.
 */
function turningPoint(counted: readonly Point[], countedFailures: readonly Point[]): Date | undefined {
  const failures = new Map(countedFailures.map(({ at, value }) => [at.getTime(), value]));
  const share = sumOf(countedFailures) / Math.max(1, sumOf(counted));
  let most = 1.5 * Math.sqrt(sumOf(countedFailures));
  let missing = 0;
  let began: Date | undefined;
  for (const { at, value } of counted.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    if (missing > most) {
      most = missing;
      began = at;
    }
    missing += share * value - (failures.get(at.getTime()) ?? 0);
  }
  return began;
}

const latest = (groups: readonly RequestGroup[]): Date | undefined =>
  groups.map(({ last }) => last).toSorted((a, b) => b.getTime() - a.getTime())[0];

const earliest = (groups: readonly { readonly first: Date }[]): Date | undefined =>
  groups.map(({ first }) => first).toSorted((a, b) => a.getTime() - b.getTime())[0];

/** How long API Gateway may use an earlier answer of the authorizer, with some time for the log. */
const cacheMilliseconds = 2 * 60 * 1000;

/** Finds the keys that were served and that the authorizer now denies, with their clients. */
function refusedKeys(
  requests: readonly RequestGroup[],
  earlier: readonly RequestGroup[],
  log: readonly LogGroup[],
) {
  const uses = [...earlier, ...requests].filter(({ keyId, status }) => keyId !== '' && status < 400);
  const known = new Set(uses.map(({ keyId }) => keyId));
  const isServedAfter = (groups: readonly RequestGroup[], time: Date) =>
    groups.some(({ last }) => last.getTime() > time.getTime() + cacheMilliseconds);
  const refused = [...known].flatMap((keyId) => {
    const first = earliest(log.filter((line) => line.code === 'unauthorized' && line.keyId === keyId));
    const own = uses.filter((use) => use.keyId === keyId);
    if (!first || isServedAfter(own, first)) return [];
    return [{ keyId, client: own[0]?.client ?? '', first, before: requestsOf(own) }];
  });
  const refusedSince = earliest(refused);
  return {
    refused,
    /** Since when all keys are refused that are used. */
    allRefusedSince: refusedSince && !isServedAfter(uses, refusedSince) ? refusedSince : undefined,
  };
}

/** Finds the clients most of whose calls of an operation are rejected now, and hardly any the day before. */
function rejectedClients(requests: readonly RequestGroup[], earlier: readonly RequestGroup[]) {
  const calls = Map.groupBy(requests, ({ client, operation }) => `${client} ${operation}`);
  return [...calls.values()].flatMap((own) => {
    const [{ client = '', operation = '' } = {}] = own;
    const before = earlier.filter((group) => group.client === client && group.operation === operation);
    const rejected = own.filter(isRejected);
    const share = requestsOf(rejected) / Math.max(1, requestsOf(own));
    const isNew = requestsOf(before) > 0 && requestsOf(before.filter(isRejected)) < requestsOf(before) / 10;
    if (!client || !isNew || share <= 0.5 || requestsOf(rejected) < 10) return [];
    return [{ client, operation, rejected, share, first: earliest(rejected) }];
  });
}

const isRejected = ({ status }: RequestGroup) =>
  status >= 400 && status < 500 && status !== 404 && status !== 429;

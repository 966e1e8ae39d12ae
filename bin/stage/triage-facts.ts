import { paginateDescribeAlarms } from '@aws-sdk/client-cloudwatch';
import { stackName } from '../../infra/stack-names.ts';
import { all, type Clients } from './aws/clients.ts';
import { before } from './aws/logs.ts';
import { readReleases } from './aws/releases.ts';
import { readIndexNames } from './aws/stack.ts';
import { readTables } from './aws/tables.ts';
import { changesByRelease, readChangesByHand } from './changes.ts';
import type { Fact } from './fact.ts';
import { deployedStack, type Reading } from './read-stage.ts';
import {
  firstOf,
  isRejection,
  isServed,
  type LogGroup,
  lastOf,
  operationOf,
  type RequestGroup,
  readLog,
  readRequests,
  sumBy,
  sumOf,
} from './requests.ts';

/** What is known of a stage, with what follows from it. What could not be read is undefined. */
export type TriageFacts = Awaited<ReturnType<typeof readTriageFacts>>;

/** What has not happened for this long does not happen any more. */
export const recentMinutes = 15;

/** How long before a problem a change may be that has caused it. */
const suspiciousMinutes = 60;

const shown = <T>(fact: Fact<T>) => (fact.isRead ? fact.value : undefined);

/** Reads what may be wrong with a stage. */
export async function readTriageFacts(reading: Reading, minutes: number) {
  const { stage, now, clients } = reading;
  const deployed = deployedStack(reading);
  const stack = shown(deployed);
  const attempt = async <T>(what: string, call: () => Promise<T>) =>
    shown(await reading.attempt(what, { deployed }, call));
  const accessLog = stack?.idsOf('AWS::Logs::LogGroup', 'AccessLogs')[0] ?? '';
  const logs = stack?.idsOf('AWS::Logs::LogGroup').filter((name) => name !== accessLog) ?? [];
  const api = stack?.idsOf('AWS::ApiGateway::RestApi') ?? [];
  const names = [`${stackName(stage)}-`, `/${stackName(stage)}/`, ...api];
  const period = before(now, minutes);
  const changesSince = before(period.from, suspiciousMinutes).from;

  const [tables, indexNames, alarms, releases, byHand, requests, earlier, log] = await Promise.all([
    attempt('tables', () => readTables(clients, stage, stack?.outputs ?? {})),
    attempt('template', () => readIndexNames(clients, stackName(stage))),
    attempt('alarms', () => readAlarms(clients, stackName(stage))),
    attempt('releases', () => readReleases(clients, stage)),
    attempt('changes by hand', () =>
      readChangesByHand(clients, stage, names, stack?.idsOf('AWS::IAM::Role') ?? [], changesSince),
    ),
    attempt('requests', () => readRequests(clients, accessLog, period)),
    attempt('requests of the day before', () =>
      readRequests(clients, accessLog, before(period.from, 24 * 60)),
    ),
    attempt('logs of the functions', () => readLog(clients, logs, period)),
  ]);
  const responses = requests ?? [];
  const lines = log ?? [];
  const changes = [...changesByRelease(stage, releases ?? []), ...(byHand?.changes ?? [])];
  const firing = (alarms ?? []).filter(({ isFiring }) => isFiring);
  return {
    ...reading,
    stack,
    minutes,
    changesSince,
    tables,
    indexNames,
    alarms,
    releases,
    byHand,
    requests,
    earlier,
    log,
    firing,
    /** Returns the first alarm that fires and whose name begins like this. */
    firingOf: (name: string) => firing.find((alarm) => alarm.name.startsWith(name)),
    served: sumOf(responses.filter(isServed)),
    throttled: responses.filter(({ status, waf }) => status === 429 && waf !== 'WAF_BLOCK'),
    failing: failing(responses, lines),
    refused: refusedKeys(responses, earlier ?? [], lines),
    rejected: rejectedClients(responses, earlier ?? []),
    /** Returns the changes that came at most some minutes before an instant, the nearest first. */
    changesBefore: (instant: Date, minutes = suspiciousMinutes) =>
      changes
        .map((change) => ({ ...change, before: (instant.getTime() - change.at.getTime()) / 60_000 }))
        // A release records itself some minutes before or after its functions serve.
        .filter(({ before }) => before > -5 && before < minutes)
        .toSorted((a, b) => Math.abs(a.before) - Math.abs(b.before)),
  };
}

/** Reads the alarms of a stack, without those that combine others. */
async function readAlarms({ cloudWatch: client }: Clients, stack: string) {
  const prefix = `${stack}-`;
  const alarms = await all(
    paginateDescribeAlarms({ client }, { AlarmNamePrefix: prefix }),
    ({ MetricAlarms }) => MetricAlarms,
  );
  const states = new Map(alarms.map(({ AlarmName, StateValue }) => [AlarmName, StateValue]));
  return alarms
    .filter(({ AlarmName }) => !AlarmName?.endsWith('-Now'))
    .map(({ AlarmName = '', AlarmDescription = '', StateValue, StateTransitionedTimestamp: since }) => {
      // page: What it means. Run: … (…#section)
      const [, meaning = '', section = ''] = /^\w+: (.*) Run: .*#([\w-]+)\)$/.exec(AlarmDescription) ?? [];
      return {
        name: AlarmName.slice(prefix.length),
        // The shorter window of the same alarm says whether it is over.
        isFiring: StateValue === 'ALARM' && states.get(`${AlarmName}-Now`) !== 'OK',
        since,
        meaning,
        section,
      };
    });
}

const describe = ({ code, error, text }: LogGroup) => [code, error, text].filter(Boolean).join(', ');

/** What failed, and how most of it did. */
function failing(requests: readonly RequestGroup[], log: readonly LogGroup[]) {
  const failed = requests.filter(({ status }) => status >= 500);
  const logged = log.filter((group) => !isRejection(group));
  const [error] = sumBy(logged, describe);
  const [response] = sumBy(failed, ({ status, responseType }) => `${status} ${responseType}`);
  // What fails before a function runs logs nothing.
  const isLogged = error && error.count * 2 >= sumOf(failed);
  const began = firstOf(isLogged ? error.groups : (response?.groups ?? []));
  return { failed, logged, error: isLogged ? error.value : response?.value, began };
}

/** How long API Gateway may use an earlier answer of the authorizer, with some time for the log. */
const cacheMilliseconds = 2 * 60 * 1000;

/** Finds the keys that were served and that the authorizer now denies, with their clients. */
function refusedKeys(
  requests: readonly RequestGroup[],
  earlier: readonly RequestGroup[],
  log: readonly LogGroup[],
) {
  const uses = [...earlier, ...requests].filter(({ keyId, status }) => keyId !== '' && status < 400);
  const isOver = (groups: readonly RequestGroup[], since: Date) =>
    (lastOf(groups)?.getTime() ?? 0) <= since.getTime() + cacheMilliseconds;
  const keys = [...Map.groupBy(uses, ({ keyId }) => keyId)].flatMap(([keyId, own]) => {
    const since = firstOf(log.filter((line) => line.code === 'unauthorized' && line.keyId === keyId));
    if (!since || !isOver(own, since)) return [];
    return [{ keyId, client: own[0]?.client ?? '', first: since, served: sumOf(own) }];
  });
  const since = firstOf(keys);
  /** Whether no other key is served either. */
  return { keys, since, isAll: since !== undefined && isOver(uses, since) };
}

/** Finds the clients most of whose calls of an operation are rejected now, and hardly any the day before. */
function rejectedClients(requests: readonly RequestGroup[], earlier: readonly RequestGroup[]) {
  const isRejected = ({ status }: RequestGroup) =>
    status >= 400 && status < 500 && status !== 404 && status !== 429;
  const callOf = (group: RequestGroup) => `${operationOf(group)} by ${group.client}`;
  return sumBy(
    requests.filter(({ client }) => client !== ''),
    callOf,
  ).flatMap(({ value: call, groups, count: total }) => {
    const rejected = groups.filter(isRejected);
    const before = earlier.filter((group) => callOf(group) === call);
    const isMost = sumOf(rejected) >= 10 && sumOf(rejected) > total / 2;
    const isNew = sumOf(before) > 0 && sumOf(before.filter(isRejected)) < sumOf(before) / 10;
    return isMost && isNew ? [{ call, count: sumOf(rejected), first: firstOf(rejected) }] : [];
  });
}

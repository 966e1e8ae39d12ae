import { stackName } from '../../../infra/stack-names.ts';
import { readAlarmHistory, readAlarms } from '../aws/alarms.ts';
import { readAlias, servingNames } from '../aws/aliases.ts';
import { readCaller } from '../aws/caller.ts';
import { before } from '../aws/logs.ts';
import { readBlocked, readGatewayCounts } from '../aws/metrics.ts';
import { readReleases } from '../aws/releases.ts';
import { keyIdsOf, readDeniedKeys, readFailures, readRequests } from '../aws/requests.ts';
import { readIndexNames, readStackEvents, type Stack } from '../aws/stack.ts';
import { readTimeToLive } from '../aws/table-settings.ts';
import { readTables, type UsedTable } from '../aws/tables.ts';
import type { Fact } from '../fact.ts';
import type { Reading } from '../read-stage.ts';
import { readChanges } from './changes.ts';

/** What is known of a stage. */
export type Facts = Awaited<ReturnType<typeof readFacts>>;

/** The times of which requests are counted: the last minutes, the last hour, and the day before it. */
export const windowsBefore = (now: Date) => ({
  recent: before(now, 5),
  hour: before(now, 60),
  day: before(before(now, 60).from, 24 * 60),
});

/** Reads all that `status` shows, at once: only the keys that are denied need others to be known. */
export async function readFacts(reading: Reading, found: Fact<Stack>, minutes: number) {
  const { attempt, clients, stage, now } = reading;
  const name = stackName(stage);
  const period = before(now, minutes);
  const windows = windowsBefore(now);
  const whole = before(now, 25 * 60);
  const ofStack = <T>(what: string, call: (stack: Stack) => Promise<T>) =>
    attempt(what, { stack: found }, ({ stack }) => call(stack));
  const changesIn = (what: string, client: typeof clients.cloudTrail, isOfIam: boolean) =>
    ofStack(what, (stack) => readChanges(client, clients.clock, stack, isOfIam, period.from));
  const requestsIn = (what: string, time: typeof period) =>
    ofStack(what, (stack) => readRequests(clients, accessLogOf(stack), time));
  const hourly = requestsIn('access log of the last hour', windows.hour);
  const tables = ofStack('tables', ({ outputs }) => readTables(clients, stage, outputs));

  const read = {
    caller: attempt('caller', {}, () => readCaller(clients)),
    alarms: attempt('alarms', {}, () => readAlarms(clients, name)),
    alarmHistory: attempt('history of alarms', {}, () => readAlarmHistory(clients, name, period.from)),
    releases: attempt('releases', {}, () => readReleases(clients, stage)),
    aliases: readAliases(reading, found),
    tables,
    timesToLive: tables.then((used) =>
      attempt('time to live', { used }, ({ used }) => readTimesToLive(clients, used)),
    ),
    indexNames: attempt('template', {}, () => readIndexNames(clients, name)),
    stackEvents: attempt('events of the stack', {}, () => readStackEvents(clients, name, period.from)),
    changes: changesIn('changes', clients.cloudTrail, false),
    iamChanges: changesIn('changes in IAM', clients.iamTrail, true),
    recent: requestsIn('access log of the last 5 minutes', windows.recent),
    hour: hourly,
    day: requestsIn('access log of the day before', windows.day),
    requests: minutes === 60 ? hourly : requestsIn(`access log of ${minutes} minutes`, period),
    gateway: attempt("API Gateway's metrics", {}, () => readGatewayCounts(clients, stage, whole)),
    blocked: attempt("the web ACL's metrics", {}, () => readBlocked(clients, stage, whole)),
    logs: readLogs(reading, found, minutes),
  };
  const facts = await allOf(read);
  const denied = await attempt(
    'denied keys',
    { stack: found, hour: facts.hour, day: facts.day },
    async ({ stack, hour, day }) => {
      const keyIds = keyIdsOf([...day, ...hour]);
      if (keyIds.length === 0) return [];
      return readDeniedKeys(
        clients,
        stack.idOf('AWS::Logs::LogGroup', 'AuthorizerLogs'),
        keyIds,
        windows.hour,
      );
    },
  );
  return { ...facts, denied };
}

const accessLogOf = ({ idOf }: Stack) => idOf('AWS::Logs::LogGroup', 'AccessLogs');

/** Reads the aliases apart, so that one that is gone hides no other. */
async function readAliases({ attempt, clients }: Reading, found: Fact<Stack>) {
  const names = await attempt('aliases', { stack: found }, async ({ stack }) => servingNames(stack));
  if (!names.isRead) return [names];
  return Promise.all(
    names.value.map((name) => attempt(`alias of ${name}`, {}, () => readAlias(clients, name))),
  );
}

/** Reads the functions' logs apart, so that one that is gone hides no other. */
async function readLogs({ attempt, clients, now }: Reading, found: Fact<Stack>, minutes: number) {
  if (!found.isRead) return [found];
  const stack = found.value;
  const names = stack.idsOf('AWS::Logs::LogGroup').filter((id) => id !== accessLogOf(stack));
  return Promise.all(
    names.map((name) =>
      attempt(name, {}, async () => ({
        name,
        failures: await readFailures(clients, name, before(now, minutes)),
      })),
    ),
  );
}

/** Reads the attribute with the end of items of each table that exists. */
async function readTimesToLive(clients: Reading['clients'], tables: readonly UsedTable[]) {
  const existing = tables.filter(({ table }) => table);
  return new Map(
    await Promise.all(existing.map(async ({ name }) => [name, await readTimeToLive(clients, name)] as const)),
  );
}

/** Waits for all members of an object. */
async function allOf<P extends Readonly<Record<string, Promise<unknown>>>>(promises: P) {
  await Promise.all(Object.values(promises));
  const entries = Object.entries(promises).map(async ([name, value]) => [name, await value] as const);
  return Object.fromEntries(await Promise.all(entries)) as { readonly [N in keyof P]: Awaited<P[N]> };
}

import { stackName } from '../../infra/stack-names.ts';
import { apiVersion, serviceName } from '../../shared/service.ts';
import {
  type Count,
  readAlarms,
  readApiStage,
  readChanges,
  readMinutes,
  readReleases,
  sumOf,
} from './aws.ts';
import type { Reading, Verb } from './read-stage.ts';
import { type Conclusion, count, type Figure, formatTime, percent } from './report.ts';
import { type RequestGroup, readLog, readRequests, requestsOf, type Total, totalBy } from './requests.ts';
import { findingsOf } from './symptoms.ts';
import { readUsedTables, type TableState, type UsedTable } from './tables.ts';
import { daysOfMinutes, derive, type Seen, type TriageFacts } from './triage-facts.ts';

/** The metrics of what Lambda and DynamoDB refuse. A throttled index throttles writes to its table. */
function throttleCounts(functions: readonly string[], tables: readonly UsedTable[]): readonly Count[] {
  const ofFunctions = functions.map((FunctionName) => ({
    namespace: 'AWS/Lambda',
    metric: 'Throttles',
    dimensions: { FunctionName },
  }));
  const ofTables = tables.flatMap(({ name: TableName, definition }) =>
    [
      { TableName },
      ...Object.keys(definition.indexes).map((GlobalSecondaryIndexName) => ({
        TableName,
        GlobalSecondaryIndexName,
      })),
    ].flatMap((dimensions) =>
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((metric) => ({
        namespace: 'AWS/DynamoDB',
        metric,
        dimensions,
      })),
    ),
  );
  return [...ofFunctions, ...ofTables];
}

/** What API Gateway itself counts: requests, and those that failed. */
const requestCounts = (stage: string): readonly Count[] =>
  ['Count', '5XXError'].map((metric) => ({
    namespace: 'AWS/ApiGateway',
    metric,
    dimensions: { ApiName: `${serviceName}-${stage}` },
  }));

const day = 24 * 60 * 60 * 1000;

/** Says what is wrong with a stage, as far as the facts show it. */
export const triage: Verb<{ readonly minutes: number }> = {
  role: 'on-call',
  run: async (reading, { minutes }) => conclude(await read(reading, minutes)),
};

async function read(reading: Reading, minutes: number): Promise<TriageFacts> {
  const { stage, stack, now, clients, attempt } = reading;
  const before = (milliseconds: number, to = now) => ({ from: new Date(to.getTime() - milliseconds), to });
  const period = before(minutes * 60 * 1000);
  const [api = ''] = stack?.idsOf('AWS::ApiGateway::RestApi') ?? [];
  const [accessLog = ''] = stack?.idsOf('AWS::Logs::LogGroup', 'AccessLogs') ?? [];
  const logs = stack?.idsOf('AWS::Logs::LogGroup').filter((name) => name !== accessLog) ?? [];
  const names = [`${stackName(stage)}-`, `/${stackName(stage)}/`, ...(api ? [api] : [])];

  const tables = await attempt('tables', () => readUsedTables(clients, stage, stack?.outputs ?? {}));
  const counts = throttleCounts(stack?.idsOf('AWS::Lambda::Function') ?? [], tables ?? []);
  const [alarms, releases, byHand, requests, earlier, log, metrics, totals, apiStage] = await Promise.all([
    attempt('alarms', () => readAlarms(clients, stackName(stage))),
    attempt('releases', () => readReleases(clients, stage)),
    attempt('changes by hand', () => readChanges(clients, names, before(daysOfMinutes * day).from)),
    attempt('requests', () => readRequests(clients, accessLog, period)),
    attempt('requests of the day before', () => readRequests(clients, accessLog, before(day, period.from))),
    attempt('logs of the functions', () => readLog(clients, logs, period)),
    attempt('metrics', () => readMinutes(clients, requestCounts(stage), before(daysOfMinutes * day))),
    attempt('throttles', () => readMinutes(clients, counts, period)),
    attempt('API', () => readApiStage(clients, api, apiVersion)),
  ]);
  const [counted, countedFailures] = metrics ?? [];
  const throttles = totalBy(
    counts.map((count, index) => ({ count, total: sumOf(totals?.[index] ?? []) })),
    ({ count }) => Object.values(count.dimensions)[0] ?? '',
    ({ total }) => total,
  );
  return {
    ...reading,
    minutes,
    alarms,
    releases,
    byHand,
    requests,
    earlier,
    log,
    tables,
    throttles: totals && throttles,
    counted,
    countedFailures,
    apiStage,
  };
}

function conclude(facts: TriageFacts): Conclusion {
  const seen = { ...facts, ...derive(facts) };
  const because = [...ofChanges(seen), ...ofRequests(seen), ...ofTables(seen)];
  return { findings: findingsOf(seen), because };
}

const list = (totals: readonly Total[], most = 4): string => {
  const others = totals.length > most ? [`${totals.length - most} others`] : [];
  return [...totals.slice(0, most).map(([name, total]) => `${name || '-'} ×${count(total)}`), ...others].join(
    ', ',
  );
};

const by = (groups: readonly RequestGroup[], field: (group: RequestGroup) => string) =>
  list(totalBy(groups, field, ({ requests }) => requests));

function ofChanges({ firing, alarms, releases, byHand, stack, stage }: Seen): readonly Figure[] {
  const found: Figure[] = [['Stack', `${stackName(stage)} ${stack?.status ?? 'unknown'}`]];
  if (alarms) {
    const texts = firing.map(({ name, since }) => `${name}${since ? ` since ${formatTime(since)}` : ''}`);
    found.push(['Alarms', texts.join(', ') || 'none fires']);
  }
  if (releases) {
    const texts = releases.slice(0, 3).map(({ commit, at }) => `${commit.slice(0, 12)} at ${formatTime(at)}`);
    found.push(['Releases', texts.join(', ') || 'none']);
  }
  if (byHand) {
    const texts = byHand.changes
      .slice(0, 5)
      .map(({ at, what, on, who }) => `${formatTime(at)} ${what} on ${on} by ${who}`);
    const rest = byHand.isComplete ? '' : '; there were too many changes in the account to read them all';
    found.push([
      'By hand',
      `${texts.join('; ') || `nothing in ${daysOfMinutes} days`} (CloudTrail is minutes late, and has no changes of items${rest})`,
    ]);
  }
  return found;
}

function ofRequests(seen: Seen): readonly Figure[] {
  const { requests, minutes, served, failed, share, denied, throttled, blocked } = seen;
  const found: Figure[] = [];
  if (requests) {
    const parts = [
      `${count(served)} served`,
      `${count(failed.total)} failed (${percent(share)})`,
      `${count(denied.total)} with a refused key`,
      `${count(throttled.total)} throttled`,
      `${count(blocked.total)} blocked by the web ACL`,
    ];
    found.push(['Requests', `${count(requestsOf(requests))} in ${minutes} minutes: ${parts.join(', ')}`]);
  }
  if (failed.total > 0) {
    found.push(
      ['Failed', by(failed.groups, ({ status, responseType }) => `${status} ${responseType}`.trim())],
      ['  operations', by(failed.groups, ({ operation }) => operation)],
      ['  clients', by(failed.groups, ({ client }) => client)],
    );
  }
  for (const { function: name, version, code, error, text, damaged, lines } of seen.failures.slice(0, 5)) {
    found.push([
      '  logged',
      `${count(lines)} times by ${name} version ${version || '?'}: ${[code, error, damaged ? `damaged ${damaged.table} ${damaged.key}` : text].filter(Boolean).join(', ')}`,
    ]);
  }
  if (throttled.total > 0)
    found.push([
      'Throttled',
      `${by(throttled.groups, ({ operation }) => operation)}; clients: ${by(throttled.groups, ({ client }) => client)}`,
    ]);
  for (const { keyId, client, before, first } of seen.refused.slice(0, 5)) {
    found.push([
      'Refused',
      `key ${keyId} of ${client} since ${formatTime(first)}, served ${count(before)} times before`,
    ]);
  }
  for (const { client, operation, rejected, share } of seen.rejectedClients.slice(0, 5)) {
    found.push([
      'Rejected',
      `${percent(share)} of ${operation} by ${client}, unlike before: ${by(rejected, ({ status }) => `${status}`)}`,
    ]);
  }
  return found;
}

function ofTables({ throttles, tables = [] }: Seen): readonly Figure[] {
  const throttling = throttles?.filter(([, total]) => total > 0) ?? [];
  const items = ({ table }: TableState) => `${count(table?.ItemCount ?? 0)} items`;
  return [
    ...(throttling.length > 0 ? [['Throttles', list(throttling)] as const] : []),
    ...tables.map(({ id, name, table, others }): Figure => {
      const state = table ? `${table.TableStatus}, ${items({ name, table })}` : 'DOES NOT EXIST';
      const notUsed = others.map((other) => `; not used: ${other.name}, ${items(other)}`);
      return ['Tables', `${id}: ${name} ${state} (counted every six hours)${notUsed.join('')}`];
    }),
  ];
}

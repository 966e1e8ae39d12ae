import { stackName } from '../../infra/stack-names.ts';
import { apiVersion, serviceName } from '../../shared/service.ts';
import {
  type Count,
  readAlarms,
  readApiStage,
  readCertificate,
  readChanges,
  readMinutes,
  readReleases,
  sumOf,
} from './aws.ts';
import { causeOf, sinceOf } from './causes.ts';
import type { Reading, Verb } from './read-stage.ts';
import { type Conclusion, count, type Finding, formatTime, percent } from './report.ts';
import { type RequestGroup, readLog, readRequests, requestsOf, type Total, totalBy } from './requests.ts';
import { readUsedTables, type TableState, type UsedTable } from './tables.ts';
import { derive, expiresSoon, type Seen, type TriageFacts } from './triage-facts.ts';

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
  const { stage, stack, settings, now, clients, attempt } = reading;
  const { domain, fairUse } = settings;
  const yesterday = new Date(now.getTime() - day);
  const from = new Date(now.getTime() - minutes * 60 * 1000);
  const period = { from, to: now };
  const dayBefore = { from: new Date(from.getTime() - day), to: from };
  const [api = ''] = stack?.idsOf('AWS::ApiGateway::RestApi') ?? [];
  const [accessLog = ''] = stack?.idsOf('AWS::Logs::LogGroup', 'AccessLogs') ?? [];
  const logs = stack?.idsOf('AWS::Logs::LogGroup').filter((name) => name !== accessLog) ?? [];
  const names = [`${stackName(stage)}-`, `/${stackName(stage)}/`, ...(api ? [api] : [])];

  const tables = await attempt('tables', () => readUsedTables(clients, stage, stack?.outputs ?? {}));
  const counts = throttleCounts(stack?.idsOf('AWS::Lambda::Function') ?? [], tables ?? []);
  const [alarms, releases, byHand, requests, earlier, log, metrics, apiStage, certificate] =
    await Promise.all([
      attempt('alarms', () => readAlarms(clients, stackName(stage))),
      attempt('releases', () => readReleases(clients, stage)),
      attempt('changes by hand', () => readChanges(clients, names, yesterday)),
      attempt('requests', () => readRequests(clients, accessLog, period)),
      attempt('requests of the day before', () => readRequests(clients, accessLog, dayBefore)),
      attempt('logs of the functions', () => readLog(clients, logs, period)),
      attempt('metrics', () => readMinutes(clients, [...requestCounts(stage), ...counts], period)),
      attempt('API', () => readApiStage(clients, api, apiVersion)),
      domain && attempt('certificate', () => readCertificate(clients, domain.certificateArn)),
    ]);
  const [counted, countedFailures, ...totals] = metrics ?? [];
  const throttles = totalBy(
    counts.map((count, index) => ({ count, total: sumOf(totals[index] ?? []) })),
    ({ count }) => Object.values(count.dimensions)[0] ?? '',
    ({ total }) => total,
  );
  return {
    stage,
    status: stack?.status ?? 'unknown',
    baseUrl: domain ? `https://${domain.name}/${apiVersion}` : (stack?.outputs['BaseUrl'] ?? '<address>'),
    now,
    minutes,
    hasWebAcl: fairUse !== undefined,
    alarms,
    releases,
    byHand,
    requests,
    earlier,
    log,
    tables,
    throttles: metrics && throttles,
    counted,
    countedFailures,
    apiStage,
    certificate,
  };
}

function conclude(facts: TriageFacts): Conclusion {
  const seen = { ...facts, ...derive(facts) };
  return { findings: [...ofChanges(seen), ...ofRequests(seen), ...ofResources(seen)], ...causeOf(seen) };
}

const list = (totals: readonly Total[], most = 4): string => {
  const others = totals.length > most ? [`${totals.length - most} others`] : [];
  return [...totals.slice(0, most).map(([name, total]) => `${name || '-'} ×${count(total)}`), ...others].join(
    ', ',
  );
};

const by = (groups: readonly RequestGroup[], field: (group: RequestGroup) => string) =>
  list(totalBy(groups, field, ({ requests }) => requests));

function ofChanges({ alarms, releases, byHand, status, stage }: Seen): readonly Finding[] {
  const found: Finding[] = [['Stack', `${stackName(stage)} ${status}`]];
  if (alarms) {
    const firing = alarms.filter(({ state }) => state === 'ALARM');
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
      `${texts.join('; ') || 'nothing in a day'} (CloudTrail is minutes late, and has no changes of items${rest})`,
    ]);
  }
  return found;
}

function ofRequests(seen: Seen): readonly Finding[] {
  const { requests, minutes, served, failed, share, denied, throttled, blocked } = seen;
  const found: Finding[] = [];
  if (requests) {
    const parts = [
      `${count(served)} served`,
      `${count(requestsOf(failed))} failed (${percent(share)})`,
      `${count(requestsOf(denied))} with a refused key`,
      `${count(requestsOf(throttled))} throttled`,
      `${count(requestsOf(blocked))} blocked by the web ACL`,
    ];
    found.push(['Requests', `${count(requestsOf(requests))} in ${minutes} minutes: ${parts.join(', ')}`]);
  }
  if (failed.length > 0) {
    found.push(
      [
        'Failed',
        `${sinceOf(seen)}: ${by(failed, ({ status, responseType }) => `${status} ${responseType}`.trim())}`,
      ],
      ['  operations', by(failed, ({ operation }) => operation)],
      ['  clients', by(failed, ({ client }) => client)],
    );
  }
  for (const { function: name, version, code, error, text, damaged, lines } of seen.failures.slice(0, 5)) {
    found.push([
      '  logged',
      `${count(lines)} times by ${name} version ${version || '?'}: ${[code, error, damaged ? `damaged ${damaged.table} ${damaged.key}` : text].filter(Boolean).join(', ')}`,
    ]);
  }
  if (throttled.length > 0)
    found.push([
      'Throttled',
      `${by(throttled, ({ operation }) => operation)}; clients: ${by(throttled, ({ client }) => client)}`,
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

function ofResources({
  throttles,
  tables = [],
  certificate,
  apiStage,
  hasWebAcl,
  now,
}: Seen): readonly Finding[] {
  const found: Finding[] = [];
  const throttling = throttles?.filter(([, total]) => total > 0) ?? [];
  if (throttling.length > 0) found.push(['Throttles', list(throttling)]);
  for (const { id, name, table, others } of tables) {
    const items = ({ table }: TableState) => `${count(table?.ItemCount ?? 0)} items`;
    const state = table
      ? `${table.TableStatus}, ${items({ name, table })} (counted every six hours)`
      : 'DOES NOT EXIST';
    found.push([
      'Tables',
      [`${id}: ${name} ${state}`, ...others.map((other) => `not used: ${other.name}, ${items(other)}`)].join(
        '; ',
      ),
    ]);
  }
  if (certificate?.NotAfter && expiresSoon(certificate.NotAfter, now)) {
    found.push([
      'Certificate',
      `${certificate.Status}, ${certificate.NotAfter < now ? 'EXPIRED' : 'valid until'} ${formatTime(certificate.NotAfter)}`,
    ]);
  }
  if (apiStage && hasWebAcl && !apiStage.webAclArn) found.push(['Web ACL', 'DETACHED']);
  return found;
}

import { stackName } from '../../infra/stack-names.ts';
import { findingsOf } from './causes.ts';
import type { Verb } from './read-stage.ts';
import { count, type Figure, formatTime, percent, tableText } from './report.ts';
import { operationOf, type RequestGroup, sumBy, sumOf } from './requests.ts';
import { readTriageFacts, type TriageFacts } from './triage-facts.ts';

/** Says what is wrong with a stage, as far as the facts show it. */
export const triage: Verb<{ readonly minutes: number }> = {
  role: 'on-call',
  run: async (reading, { minutes }) => {
    const facts = await readTriageFacts(reading, minutes);
    const because = [...ofChanges(facts), ...ofRequests(facts), ...ofClients(facts), ...ofTables(facts)];
    return { findings: findingsOf(facts), because };
  },
};

/** Returns how many requests have each value of a field, for the most frequent values. */
function by(groups: readonly RequestGroup[], field: (group: RequestGroup) => string): string {
  const sums = sumBy(groups, field);
  const texts = sums.slice(0, 4).map(({ value, count: sum }) => `${value || '-'} ×${count(sum)}`);
  return [...texts, ...(sums.length > 4 ? [`${sums.length - 4} others`] : [])].join(', ');
}

function ofChanges({ stack, stage, alarms, firing, ...facts }: TriageFacts): readonly Figure[] {
  const { releases, byHand, changesSince } = facts;
  const [api] = stack?.idsOf('AWS::ApiGateway::RestApi') ?? [];
  const found: Figure[] = [['Stack', `${stackName(stage)} ${stack?.status ?? 'unknown'}, API ${api}`]];
  if (alarms) {
    const texts = firing.map(({ name, since }) => `${name}${since ? ` since ${formatTime(since)}` : ''}`);
    found.push(['Alarms', texts.join(', ') || 'none fires']);
  }
  if (releases) {
    const texts = releases.slice(0, 3).map(({ commit, at }) => `${commit.slice(0, 12)} at ${formatTime(at)}`);
    found.push(['Releases', texts.join(', ') || 'none']);
  }
  if (byHand) {
    const texts = byHand.changes.slice(0, 5).map(({ at, text }) => `${formatTime(at)} ${text}`);
    const nothing = `nothing since ${formatTime(changesSince)}`;
    const rest = byHand.isComplete ? '' : '; there were too many changes in the account to read them all';
    const limits = `CloudTrail is minutes late, and has no changes of items${rest}`;
    found.push(['By hand', `${texts.join('; ') || nothing} (${limits})`]);
  }
  return found;
}

function ofRequests({
  requests,
  minutes,
  served,
  failing: { failed, logged },
}: TriageFacts): readonly Figure[] {
  if (!requests) return [];
  const sum = (isOfKind: (group: RequestGroup) => boolean) => count(sumOf(requests.filter(isOfKind)));
  const throttled = requests.filter(({ status, waf }) => status === 429 && waf !== 'WAF_BLOCK');
  const parts = [
    `${count(served)} served`,
    `${count(sumOf(failed))} failed (${percent(sumOf(failed) / Math.max(1, served))})`,
    `${sum(({ responseType }) => responseType === 'ACCESS_DENIED')} with a refused key`,
    `${count(sumOf(throttled))} throttled`,
    `${sum(({ waf }) => waf === 'WAF_BLOCK')} blocked by the web ACL`,
  ];
  const found: Figure[] = [
    ['Requests', `${count(sumOf(requests))} in ${minutes} minutes: ${parts.join(', ')}`],
  ];
  if (failed.length > 0) {
    found.push(
      ['Failed', by(failed, ({ status, responseType }) => `${status} ${responseType}`.trim())],
      ['  operations', by(failed, operationOf)],
      ['  clients', by(failed, ({ client }) => client)],
    );
  }
  for (const { log, version, code, error, text, table, key, count: lines } of logged.slice(0, 5)) {
    const texts = [code, error, table ? `damaged ${table} ${key}` : text].filter(Boolean);
    // The account's id stands before the name of the log group.
    const name = log.replace(/^\d+:/, '');
    found.push([
      '  logged',
      `${count(lines)} times by ${name} version ${version || '?'}: ${texts.join(', ')}`,
    ]);
  }
  if (throttled.length > 0) {
    const operations = by(throttled, operationOf);
    found.push(['Throttled', `${operations}; clients: ${by(throttled, ({ client }) => client)}`]);
  }
  return found;
}

function ofClients({ refused, rejected }: TriageFacts): readonly Figure[] {
  const found: Figure[] = [];
  for (const { keyId, client, served } of refused.keys.slice(0, 5)) {
    found.push(['Refused', `key ${keyId} of ${client}, served ${count(served)} times before`]);
  }
  for (const { call, count: requests } of rejected.slice(0, 5)) {
    found.push(['Rejected', `${call}, ${count(requests)} times, unlike before`]);
  }
  return found;
}

const ofTables = ({ tables = [] }: TriageFacts) =>
  tables.flatMap(({ id, others, ...used }): readonly Figure[] => [
    ['Tables', `${id}: ${tableText(used)}`],
    ...others.map((other): Figure => ['Tables', `not used: ${tableText(other)}`]),
  ]);

import { stackName } from '../../infra/stack-names.ts';
import { findingsOf } from './causes.ts';
import type { Verb } from './read-stage.ts';
import { count, type Figures, formatTime, percent, tableText } from './report.ts';
import { operationOf, type RequestGroup, sumBy, sumOf } from './requests.ts';
import { readTriageFacts, type TriageFacts } from './triage-facts.ts';

/** Says what is wrong with a stage, as far as the facts show it. */
export const triage: Verb<{ readonly minutes: number }> = {
  role: 'on-call',
  run: async (reading, { minutes }) => {
    const facts = await readTriageFacts(reading, minutes);
    return { findings: findingsOf(facts), because: figures(facts) };
  },
};

function figures(facts: TriageFacts): Figures {
  const { stage, stack, alarms, firing, releases, byHand, throttled, refused, rejected, tables = [] } = facts;
  const { failed, logged } = facts.failing;
  return {
    Stack: [
      `${stackName(stage)} ${stack?.status ?? 'unknown'}, API ${stack?.idsOf('AWS::ApiGateway::RestApi')[0]}`,
    ],
    Alarms:
      alarms && firing.length === 0
        ? ['none fires']
        : firing.map(({ name, since }) => `${name}${since ? ` since ${formatTime(since)}` : ''}`),
    Releases: releases?.slice(0, 3).map(({ commit, at }) => `${commit.slice(0, 12)} at ${formatTime(at)}`),
    'By hand': byHand && [
      ...byHand.changes.slice(0, 5).map(({ at, text }) => `${formatTime(at)} ${text}`),
      `read from ${formatTime(facts.changesSince)} on, without the last minutes and changes of items${byHand.isComplete ? '' : ', and not all: there were too many'}`,
    ],
    Requests: requestsOf(facts),
    Failed: by(failed, ({ status, responseType }) => `${status} ${responseType}`.trim()),
    '  operations': by(failed, operationOf),
    '  clients': by(failed, ({ client }) => client),
    '  logged': logged.slice(0, 5).map(({ log, version, code, error, text, table, key, count: lines }) => {
      const what = [code, error, table ? `damaged ${table} ${key}` : text].filter(Boolean);
      // The account's id stands before the name of the log group.
      const name = log.replace(/^\d+:/, '');
      return `${count(lines)} times by ${name} version ${version || '?'}: ${what.join(', ')}`;
    }),
    Throttled: by(throttled, operationOf),
    '  by client': by(throttled, ({ client }) => client),
    Refused: refused.keys
      .slice(0, 5)
      .map(({ keyId, client, served }) => `key ${keyId} of ${client}, served ${count(served)} times before`),
    Rejected: rejected
      .slice(0, 5)
      .map(({ call, count: sum }) => `${call}, ${count(sum)} times, unlike before`),
    Tables: tables.flatMap(({ id, others, ...used }) => [
      `${id}: ${tableText(used)}`,
      ...others.map((other) => `not used: ${tableText(other)}`),
    ]),
  };
}

/** Returns how many requests have each value of a field, for the most frequent values. */
function by(groups: readonly RequestGroup[], field: (group: RequestGroup) => string): readonly string[] {
  const sums = sumBy(groups, field);
  const texts = sums.slice(0, 4).map(({ value, count: sum }) => `${value || '-'} ×${count(sum)}`);
  const all = [...texts, ...(sums.length > 4 ? [`${sums.length - 4} others`] : [])];
  return all.length > 0 ? [all.join(', ')] : [];
}

function requestsOf({ requests, minutes, served, failing: { failed }, ...facts }: TriageFacts) {
  if (!requests) return undefined;
  const sum = (isOfKind: (group: RequestGroup) => boolean) => count(sumOf(requests.filter(isOfKind)));
  const parts = [
    `${count(served)} served`,
    `${count(sumOf(failed))} failed (${percent(sumOf(failed) / Math.max(1, served))})`,
    `${sum(({ responseType }) => responseType === 'ACCESS_DENIED')} with a refused key`,
    `${count(sumOf(facts.throttled))} throttled`,
    `${sum(({ waf }) => waf === 'WAF_BLOCK')} blocked by the web ACL`,
  ];
  return [`${count(sumOf(requests))} in ${minutes} minutes: ${parts.join(', ')}`];
}

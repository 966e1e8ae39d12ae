import { denied, failed, served, throttled } from '../../../infra/monitoring/request-conditions.ts';
import { before } from '../aws/logs.ts';
import { shortCommit } from '../aws/releases.ts';
import { operationOf, type RequestGroup, sumBy, sumOf } from '../aws/requests.ts';
import { trailMinutes } from '../aws/trail.ts';
import { infer } from '../fact.ts';
import type { Verb } from '../read-stage.ts';
import { count, type Figures, formatTime, percent, tableText } from '../report.ts';
import type { Changes } from './changes.ts';
import { type Context, type Facts, type Known, readFacts } from './facts.ts';
import { findingsOf } from './findings.ts';

/** Says what is wrong with a stage, as far as the facts show it. */
export const triage: Verb<{ readonly minutes: number }> = {
  role: 'on-call',
  run: async (reading, { minutes }) => {
    const { stage, settings, now } = reading;
    const context = { stage, settings, now, minutes };
    const facts = await readFacts(reading, context);
    return { findings: findingsOf(facts, context), because: shown(facts, context) };
  },
};

/** What the figures are made of. What was not read has none. */
function shown(facts: Facts, context: Context): Figures {
  const entries = Object.entries(figures).map(([title, lines]) => {
    const fact = infer(facts, (known) => lines(known, context));
    return [title, fact.isRead ? fact.value : []] as const;
  });
  return Object.fromEntries(entries);
}

const figures: Readonly<Record<string, (known: Known, context: Context) => readonly string[]>> = {
  Stack: ({ stack: { name, status, since, idsOf } }) => [
    `${name} ${status}, updated at ${since && formatTime(since)}, API ${idsOf('AWS::ApiGateway::RestApi')[0]}`,
  ],
  Alarms: ({ alarms: { firing, withoutData } }) => [
    ...(firing.length === 0 ? ['none fires'] : []),
    ...firing.map(({ name, since }) => `${name}${since ? ` since ${formatTime(since)}` : ''}`),
    ...withoutData.map((name) => `${name} has no data`),
  ],
  Releases: ({ releases }) =>
    releases.slice(0, 3).map((release) => `${shortCommit(release)} at ${formatTime(release.at)}`),
  'By hand': ({ changes }, context) => byHand(changes, context),
  '  in IAM': ({ iamChanges }, context) => byHand(iamChanges, context),
  Requests: ({ requests }, { minutes }) => [requestsText(requests, minutes)],
  '  not served': ({ requests }) =>
    top(
      requests.filter(({ status }) => status >= 400),
      (group) => `${group.status} ${group.responseType} ${operationOf(group)} by ${group.client}`,
    ),
  Logged: ({ log }) =>
    log.slice(0, 5).map(({ version, code, error, text, table, key, ...own }) => {
      const what = [code, error, table ? `damaged ${table} ${key}` : text].filter(Boolean);
      // The account's id stands before the name of the log group.
      const name = own.log.replace(/^\d+:/, '');
      return `${count(own.count)} times by ${name} version ${version || '?'}: ${what.join(', ')}`;
    }),
  Tables: ({ tables }) =>
    tables.flatMap(({ id, others, ...used }) => [
      `${id}: ${tableText(used)}`,
      ...others.map((other) => `not used: ${tableText(other)}`),
    ]),
};

/** Lists changes by hand, without a verdict. */
function byHand({ changes, since }: Changes, { now }: Context): readonly string[] {
  const texts = changes.slice(0, 10).map(({ at, text, on }) => `${formatTime(at)} ${text} on ${on}`);
  const more =
    changes.length > texts.length ? [`and ${count(changes.length - texts.length)} earlier ones`] : [];
  const known = before(now, trailMinutes).from;
  return [
    ...texts,
    ...more,
    `${changes.length === 0 ? 'none ' : ''}since ${formatTime(since)}; later than ${formatTime(known)}, CloudTrail may not show all`,
  ];
}

/** Returns how many requests have each value of a text, for the most frequent values. */
function top(groups: readonly RequestGroup[], text: (group: RequestGroup) => string): readonly string[] {
  const sums = sumBy(groups, text);
  const texts = sums.slice(0, 8).map(({ value, count: sum }) => `${count(sum)} × ${value}`);
  return sums.length > texts.length ? [...texts, `and ${sums.length - texts.length} others`] : texts;
}

function requestsText(groups: readonly RequestGroup[], minutes: number): string {
  const sum = (holds: (group: RequestGroup) => boolean) => sumOf(groups.filter(holds));
  const parts = [
    `${count(sum(served.holds))} served`,
    `${count(sum(failed.holds))} failed (${percent(sum(failed.holds) / Math.max(1, sum(served.holds)))})`,
    `${count(sum(denied.holds))} with a refused key`,
    `${count(sum(throttled.holds))} throttled`,
    `${count(sum(({ waf }) => waf === 'WAF_BLOCK'))} blocked by the web ACL`,
  ];
  return `${count(sumOf(groups))} in ${minutes} minutes: ${parts.join(', ')}`;
}

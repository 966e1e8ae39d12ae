import { failed, noValue, throttled } from '../../../infra/monitoring/request-conditions.ts';
import { operations } from '../../../shared/service.ts';
import type { Series } from '../aws/metrics.ts';
import { isAccepted, operationOf, type RequestGroup, spanOf, sumOf } from '../aws/requests.ts';
import { derive, type Fact, together } from '../fact.ts';
import { count, listed, type Row, shortTime, unreadRows, unreadText } from '../report.ts';
import { type Facts, windowsBefore } from './facts.ts';

/** Says what became of a request. */
export function outcomeOf(group: RequestGroup): string {
  if (group.waf === 'WAF_BLOCK') return 'blocked';
  if (failed.holds(group)) return 'failed';
  if (throttled.holds(group)) return 'throttled';
  if (group.status >= 400) return `${group.status}`;
  if (group.status === 0) return 'without a status';
  return group.client === noValue ? 'served without a key' : 'served';
}

type Windows = Readonly<Record<'recent' | 'hour' | 'day', Fact<number>>>;

/** Returns a number of the last 5 minutes, of the last hour, and of an hour of the day before. */
const perWindow = ({ recent, hour, day }: Windows) =>
  [recent, hour, derive(day, (total) => total / 24)]
    .map((fact) => (fact.isRead ? count(Math.round(fact.value * 10) / 10) : '?'))
    .join('/');

/** Returns what became of the requests to each operation. */
export function requestRows({ recent, hour, day }: Facts): readonly Row[] {
  const windows = { recent, hour, day };
  const all = Object.values(windows).flatMap((fact) => (fact.isRead ? fact.value : []));
  const lineOf = (name: string, isOwn: (group: RequestGroup) => boolean) => {
    const outcomes = [...new Set(all.filter(isOwn).map(outcomeOf))].toSorted(byOrder);
    const texts = outcomes.map((outcome) => {
      const sums = ofAll(windows, (groups) =>
        sumOf(groups.filter((group) => isOwn(group) && outcomeOf(group) === outcome)),
      );
      return `${outcome} ${perWindow(sums)}`;
    });
    return `${name}: ${texts.join(', ') || `served ${perWindow(ofAll(windows, () => 0))}`}`;
  };
  const names = Object.keys(operations);
  const failures = (name: string) =>
    sumOf(all.filter((own) => operationOf(own) === name && failed.holds(own)));
  const lines = names
    .toSorted((a, b) => failures(b) - failures(a))
    .map((name) => lineOf(name, (group) => operationOf(group) === name));
  const isOther = (group: RequestGroup) => !names.includes(operationOf(group));
  const missing = Object.values(windows).flatMap((fact) => (fact.isRead ? [] : fact.missing));
  const title = 'Requests';
  return [
    { title, text: 'in the last 5 min/60 min/per hour of the day before, by the access log' },
    ...listed(title, { isRead: true, value: [...lines, lineOf('other paths', isOther)] }, 5),
    ...unreadRows(title, missing),
  ];
}

const dedupe = <T>(list: readonly T[]) => [...new Set(list)];

const order = [/^served/, /^404/, /^4/, /^failed/, /^throttled/, /^blocked/, /^/];
const placeOf = (outcome: string) => order.findIndex((own) => own.test(outcome));
const byOrder = (a: string, b: string) => placeOf(a) - placeOf(b) || a.localeCompare(b);

const ofAll = <T>(facts: Readonly<Record<keyof Windows, Fact<T>>>, of: (value: T) => number): Windows => ({
  recent: derive(facts.recent, of),
  hour: derive(facts.hour, of),
  day: derive(facts.day, of),
});

/** Returns how new the access log is, and what API Gateway itself counts. */
export function gatewayRows(facts: Facts, now: Date): readonly Row[] {
  const { recent, hour, day, gateway, blocked } = facts;
  const newest = derive(together({ hour, day }), (known) => [...known.day, ...known.hour]);
  const logText = derive(newest, (groups) => {
    if (groups.length === 0) return 'no line for 25 hours';
    const { last } = spanOf(groups);
    return `newest line ${shortTime(last)}, ${Math.floor((now.getTime() - last.getTime()) / 60_000)} min ago`;
  });
  const lines = ofAll({ recent, hour, day }, sumOf);
  const counted = derive(gateway, (series) => `API Gateway: ${seriesText(series, now)}`);
  const text = [logText, counted].map((fact) => (fact.isRead ? fact.value : unreadText(fact.missing)));
  return [
    { title: 'Access log', text: [text[0], `lines ${perWindow(lines)}`, text[1]].join('; ') },
    ...listed(
      'Blocked by rule',
      derive(blocked, (series) => {
        const used = series.filter(({ points }) => points.some(({ value }) => value > 0));
        const more = used.length > 8 ? `, and ${used.length - 8} more rules` : '';
        return [used.length === 0 ? 'none for 25 hours' : `${seriesText(used.slice(0, 8), now)}${more}`];
      }),
      1,
    ),
  ];
}

const seriesText = (series: readonly Series[], now: Date) =>
  series.map(({ label, points }) => `${label} ${pointsText(points, now)}`).join(', ');

/** Each datapoint counts for the window in which its minute ends, so that a window has whole minutes. */
function pointsText(points: Series['points'], now: Date): string {
  const { recent, hour, day } = windowsBefore(now);
  const sum = ({ from, to }: typeof recent) => ({
    isRead: true as const,
    value: points
      .map(({ at, value }) => ({ end: at.getTime() + 60_000, value }))
      .filter(({ end }) => end > from.getTime() && end <= to.getTime())
      .reduce((total, { value }) => total + value, 0),
  });
  return perWindow({ recent: sum(recent), hour: sum(hour), day: sum(day) });
}

/** Returns the keys that were accepted, and are denied now. */
export function keyRows({ denied: found, hour: ofHour, day: ofDay }: Facts): readonly Row[] {
  const known = together({ denied: found, hour: ofHour, day: ofDay });
  const lines = derive(known, ({ denied, hour, day }) => {
    if (denied.length === 0) return [];
    const { count: total, first, last } = spanOf(denied);
    const ids = denied.map(({ keyId }) => keyId);
    const accepted = [...day, ...hour].filter((group) => isAccepted(group) && ids.includes(group.keyId));
    const clients = dedupe(accepted.map(({ client }) => client));
    const more = clients.length > 5 ? ` and ${clients.length - 5} more` : '';
    return [
      `${ids.length} accepted in the 25 hours before, of ${clients.slice(0, 5).join(', ')}${more}, were denied ${count(total)} times, ${shortTime(first)} to ${shortTime(last)}`,
    ];
  });
  return lines.isRead ? listed('Keys', lines, 1) : [{ title: 'Keys', text: 'denied keys NOT READ' }];
}

import { failed, noValue } from '../../../infra/monitoring/request-conditions.ts';
import { meaningOf } from '../aws/alarms.ts';
import type { AliasMove } from '../aws/alias-moves.ts';
import { servedShares } from '../aws/aliases.ts';
import { before } from '../aws/logs.ts';
import { type Release, sameAs, shortCommit } from '../aws/releases.ts';
import { operationOf, type RequestGroup, spanOf, sumOf } from '../aws/requests.ts';
import { trailMinutes } from '../aws/trail.ts';
import { derive, type Fact } from '../fact.ts';
import { count, formatTime, type Row, type Section, shortTime, unreadText } from '../report.ts';
import type { Facts } from './facts.ts';

interface Happened {
  readonly at: Date;
  readonly text: string;
}

/** Events of one kind. */
interface Kind {
  readonly title: string;
  readonly events: Fact<readonly Happened[]>;
  /** From when on they are known. */
  readonly since?: Fact<Date>;
}

/** The most events of a kind: of requests those with the most, of others the last ones. */
const most = 12;

/** Returns what happened, in the order of time, and what of it is unknown. */
export function timeline(facts: Facts, now: Date, minutes: number): Section {
  const { from } = before(now, minutes);
  const kinds = kindsOf(facts, from);
  const rows = kinds.flatMap(({ title, events }) =>
    (events.isRead ? events.value.slice(0, most) : []).map((event) => ({ title, ...event })),
  );
  const sorted: Row[] = rows
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ at, title, text }) => ({ title: shortTime(at), text: `${title.padEnd(8)} ${text}` }));
  const ends = kinds.flatMap(({ title, events, since }) => [
    ...(events.isRead ? leftText(title, events.value) : [`${title}: ${unreadText(events.missing)}`]),
    ...(since?.isRead && since.value > from ? [`${title}: known only since ${shortTime(since.value)}`] : []),
  ]);
  const late = `CloudTrail may not show all changes after ${shortTime(before(now, trailMinutes).from)}`;
  return {
    title: `TIMELINE of ${minutes} minutes, ${formatTime(from)} to ${formatTime(now)}`,
    rows: [
      ...(sorted.length > 0 ? sorted : [{ title: '', text: 'nothing of what was read' }]),
      ...[...ends, late].map((text) => ({ title: '', text })),
    ],
  };
}

function leftText(title: string, events: readonly Happened[]): readonly string[] {
  const left = events.slice(most).map(({ at }) => at.getTime());
  if (left.length === 0) return [];
  return [
    `${title}: ${count(left.length)} more are left out, none after ${shortTime(new Date(Math.max(...left)))}`,
  ];
}

const newestFirst = (events: readonly Happened[]) =>
  events.toSorted((a, b) => b.at.getTime() - a.at.getTime());

function kindsOf(facts: Facts, from: Date): readonly Kind[] {
  const { releases, stackEvents, changes, iamChanges, alarmHistory, requests } = facts;
  const sinceOf = (fact: Fact<{ readonly since: Date }>) => derive(fact, ({ since }) => since);
  return [
    {
      title: 'release',
      events: derive(releases, (all) => releaseEvents(all).filter(({ at }) => at >= from)),
    },
    {
      title: 'stack',
      events: derive(stackEvents, ({ items }) =>
        items.map(({ Timestamp, LogicalResourceId, ResourceStatus, ResourceStatusReason: reason }) => ({
          at: Timestamp ?? from,
          text: `${LogicalResourceId} ${ResourceStatus}${reason ? `: ${reason}` : ''}`,
        })),
      ),
      since: sinceOf(stackEvents),
    },
    { title: 'alias', events: derive(changes, ({ moves }) => newestFirst(moves.map(moveEvent))) },
    { title: 'change', events: derive(changes, (own) => newestFirst(own.changes)), since: sinceOf(changes) },
    {
      title: 'in IAM',
      events: derive(iamChanges, (own) => newestFirst(own.changes)),
      since: sinceOf(iamChanges),
    },
    {
      title: 'alarm',
      events: derive(alarmHistory, ({ items }) =>
        newestFirst(
          items.map(({ at, name, from: old, to }) => ({
            at,
            text: `${name} from ${old} to ${to}${to === 'ALARM' ? `: ${meaningOf(name)?.says ?? ''}` : ''}`,
          })),
        ),
      ),
      since: sinceOf(alarmHistory),
    },
    { title: 'requests', events: derive(requests, responseEvents) },
  ];
}

/** Says of each release which earlier one deploys the same. */
const releaseEvents = (releases: readonly Release[]): readonly Happened[] =>
  releases.map((release, index) => {
    const earlier = releases.slice(index + 1);
    const [last] = earlier;
    const [same] = sameAs(release, earlier);
    return {
      at: release.at,
      text: `${shortCommit(release)}${last ? ` after ${shortCommit(last)}` : ''}${same ? `, deploys the same as ${shortCommit(same)} of ${shortTime(same.at)}` : ''}`,
    };
  });

const moveEvent = (move: AliasMove): Happened => ({
  at: move.at,
  text: `${move.functionName} to ${[...servedShares(move)].map(([version, share]) => `${Math.round(share * 100)}% version ${version}`).join(', ')}, by ${move.who}${move.by ? ` through ${move.by}` : ''}`,
});

/** Returns each kind of response that was no success, at its first one; those with a 5xx come first. */
function responseEvents(requests: readonly RequestGroup[]): readonly Happened[] {
  const kindOf = (group: RequestGroup) =>
    [
      operationOf(group),
      group.status,
      ...(group.responseType === noValue ? [] : [group.responseType]),
      ...(group.waf === 'WAF_BLOCK' ? ['blocked by the web ACL'] : []),
    ].join(' ');
  const kinds = Map.groupBy(
    requests.filter(({ status }) => status >= 400),
    kindOf,
  );
  return [...kinds]
    .map(([kind, groups]) => {
      const clients = [...Map.groupBy(groups, ({ client }) => client)]
        .filter(([client]) => client !== noValue)
        .map(([client, own]) => ({ client, total: sumOf(own) }))
        .toSorted((a, b) => b.total - a.total)
        .map(({ client, total }) => `${client} (${count(total)})`);
      const more = clients.length > 3 ? ` and ${clients.length - 3} more` : '';
      const of = clients.length > 0 ? `, of ${clients.slice(0, 3).join(', ')}${more}` : '';
      const span = spanOf(groups);
      const isFailed = groups.some(failed.holds);
      return {
        at: span.first,
        span,
        isFailed,
        text: `${kind}: ${count(span.count)}, last ${shortTime(span.last)}${of}`,
      };
    })
    .toSorted((a, b) => Number(b.isFailed) - Number(a.isFailed) || b.span.count - a.span.count);
}

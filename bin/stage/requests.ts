import * as v from 'valibot';
import { errorTable } from '../../shared/contract/error-table.ts';
import { requestRejectedMessage } from '../../shared/lambda/log.ts';
import { operations } from '../../shared/service.ts';
import { damagedItemMessage } from '../../shared/tables/stored-item.ts';
import type { Clients } from './aws/clients.ts';
import { type Period, query } from './aws/logs.ts';

/** A field that no line of a group has is missing, or `-` in the access log. */
const text = v.optional(
  v.pipe(
    v.string(),
    v.transform((value) => value.replace(/^-$/, '')),
  ),
  '',
);

const number = v.pipe(v.string(), v.transform(Number));

/** A number of milliseconds, or a text in UTC. */
const time = v.pipe(
  v.string(),
  v.transform((value) => new Date(/^[\d.]+$/.test(value) ? Number(value) : `${value.replace(' ', 'T')}Z`)),
);

/** How many lines have the same values, and when. */
const counted = { count: number, first: time, last: time };

/** Requests of the access log that have all of this in common. */
const RequestGroup = v.object({
  ...counted,
  status: number,
  /** Why API Gateway or the web ACL responded itself. */
  responseType: text,
  waf: text,
  method: text,
  path: text,
  client: text,
  keyId: text,
});
export type RequestGroup = v.InferOutput<typeof RequestGroup>;

/** Lines of the functions' logs that have all of this in common: a failure, or why a request was rejected. */
const LogGroup = v.object({
  ...counted,
  log: text,
  version: text,
  /** What the line says. */
  event: text,
  code: text,
  keyId: text,
  error: text,
  text,
  /** The table and the key of a damaged item, and its invalid attributes. */
  table: text,
  key: text,
  attributes: text,
});
export type LogGroup = v.InferOutput<typeof LogGroup>;

/** Reads groups of log lines, the largest first. The names of a schema's fields are those of its query. */
async function readGroups<const Entries extends v.ObjectEntries>(
  clients: Clients,
  logGroups: readonly string[],
  lines: readonly string[],
  schema: v.ObjectSchema<Entries, undefined>,
  period: Period,
) {
  const fields = Object.keys(schema.entries).filter((name) => !(name in counted));
  const stats = `stats count(*) as count, min(@timestamp) as first, max(@timestamp) as last by ${fields.join(', ')}`;
  const rows = await query(clients, logGroups, [...lines, stats, 'sort count desc'], period);
  return rows.map((row) => v.parse(schema, row));
}

/** Reads the requests of a period from the access log. */
export const readRequests = (clients: Clients, accessLog: string, period: Period) =>
  readGroups(clients, [accessLog], [], RequestGroup, period);

/** Reads from the functions' logs what failed, and which keys and requests were rejected. */
export const readLog = (clients: Clients, logGroups: readonly string[], period: Period) =>
  readGroups(
    clients,
    logGroups,
    [
      `filter level = 'ERROR' or message.message = '${requestRejectedMessage}' or record.status = 'timeout'`,
      'fields @log as log, message.functionVersion as version, message.message as event, message.code as code, message.keyId as keyId, message.table as table, message.key as key, message.attributes as attributes',
      'fields coalesce(message.error.name, message.errorType, record.status) as error, coalesce(message.error.message, message.errorMessage) as text',
    ],
    LogGroup,
    period,
  );

export const isRejection = ({ event }: LogGroup) => event === requestRejectedMessage;

/** A damaged item is logged itself, and once more as the error of a request that needs it. */
export const isOfDamage = ({ event, text }: LogGroup) => [event, text].includes(damagedItemMessage);

/** The authorizer logs with an error what handlers log as event, and Lambda logs that error once more. */
export const isOfDatabase = ({ event, text }: LogGroup) =>
  [event, text].includes(errorTable.service_unavailable.message);

export const operationOf = ({ method, path }: RequestGroup): string =>
  Object.values(operations).find((known) => known.method === method && known.path === path)?.operationId ??
  `${method} ${path}`;

type Counted = Pick<RequestGroup, 'count'>;

export const sumOf = (groups: readonly Counted[]) => groups.reduce((sum, { count }) => sum + count, 0);

/** Returns the sum of each value of a field, the largest first. */
export const sumBy = <T extends Counted>(groups: readonly T[], field: (group: T) => string) =>
  [...Map.groupBy(groups, field)]
    .map(([value, own]) => ({ value, groups: own, count: sumOf(own) }))
    .toSorted((a, b) => b.count - a.count);

/** Returns the time of the first of some groups, if there are any. */
export const firstOf = (groups: readonly { readonly first: Date }[]): Date | undefined =>
  groups.map(({ first }) => first).toSorted((a, b) => a.getTime() - b.getTime())[0];

/** Returns the time of the last of some groups, if there are any. */
export const lastOf = (groups: readonly { readonly last: Date }[]): Date | undefined =>
  groups.map(({ last }) => last).toSorted((a, b) => b.getTime() - a.getTime())[0];

/** As the alarms count them: what reached an operation or failed. */
export const isServed = ({ status, client }: RequestGroup) =>
  status >= 500 || (client !== '' && status !== 405 && status !== 429);

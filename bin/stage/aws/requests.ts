import * as v from 'valibot';
import { noValue } from '../../../infra/monitoring/request-conditions.ts';
import { requestRejectedMessage } from '../../../shared/lambda/log.ts';
import { operations } from '../../../shared/service.ts';
import type { Clients } from './clients.ts';
import { type Period, query } from './logs.ts';

/** A field that no line of a group has is missing. */
const text = v.optional(v.string(), '');

const number = v.pipe(v.string(), v.regex(/^\d+(\.\d+)?$/), v.transform(Number));

/** A number of milliseconds, or a text in UTC. */
const time = v.pipe(
  v.string(),
  v.transform((value) => new Date(/^[\d.]+$/.test(value) ? Number(value) : `${value.replace(' ', 'T')}Z`)),
  v.date(),
);

/** How many lines have the same values, and when. */
const counted = { count: number, first: time, last: time };

/** A field of the access log, which has `-` for what a request lacks. */
const logged = v.optional(v.string(), noValue);

/** Requests of the access log that have all of this in common. */
const RequestGroup = v.object({
  ...counted,
  /** 0 if the log does not say it: then the request may have been served, and counts as no failure. */
  status: v.fallback(number, 0),
  /** Why API Gateway or the web ACL responded itself. */
  responseType: logged,
  waf: logged,
  method: logged,
  path: logged,
  client: logged,
  keyId: logged,
});
export type RequestGroup = v.InferOutput<typeof RequestGroup>;

/** Failures in the functions' logs that have all of this in common. */
const LogGroup = v.object({
  ...counted,
  version: text,
  /** What the line says. */
  event: text,
  code: text,
  error: text,
  /** The name of what caused the error. */
  cause: text,
  text,
  /** The table and the key of a damaged item, and its invalid attributes. */
  table: text,
  key: text,
  attributes: text,
});
export type LogGroup = v.InferOutput<typeof LogGroup>;

/** A key that the authorizer denied. */
const DeniedKey = v.object({ ...counted, keyId: v.string() });
export type DeniedKey = v.InferOutput<typeof DeniedKey>;

/**
 * Reads groups of log lines, the largest first. The names of a schema's fields are those of its query.
 *
 * @throws {Error} if a row is not like its schema
 */
async function readGroups<const Entries extends v.ObjectEntries>(
  clients: Clients,
  logGroup: string,
  lines: readonly string[],
  schema: v.ObjectSchema<Entries, undefined>,
  period: Period,
): Promise<readonly v.InferOutput<typeof schema>[]> {
  const fields = Object.keys(schema.entries).filter((name) => !(name in counted));
  const stats = `stats count(*) as count, min(@timestamp) as first, max(@timestamp) as last by ${fields.join(', ')}`;
  const rows = await query(clients, logGroup, [...lines, stats, 'sort count desc'], period);
  return rows.map((row) => v.parse(schema, row));
}

/** Reads the requests of a period from the access log. */
export const readRequests = (clients: Clients, accessLog: string, period: Period) =>
  readGroups(clients, accessLog, [], RequestGroup, period);

/** Reads from a function's log what failed. */
export const readFailures = (clients: Clients, logGroup: string, period: Period) =>
  readGroups(
    clients,
    logGroup,
    [
      `filter level = 'ERROR' or record.status = 'timeout'`,
      'fields message.functionVersion as version, message.message as event, message.code as code, message.table as table, message.key as key, message.attributes as attributes',
      'fields coalesce(message.error.name, message.errorType, record.status) as error, message.error.cause.name as cause, coalesce(message.error.message, message.errorMessage) as text',
    ],
    LogGroup,
    period,
  );

/** Reads from the authorizer's log which of some keys it denied. Made-up ones may be more than a query returns. */
export const readDeniedKeys = (
  clients: Clients,
  logGroup: string,
  keyIds: readonly string[],
  period: Period,
) =>
  readGroups(
    clients,
    logGroup,
    [
      `filter message.message = '${requestRejectedMessage}' and message.code = 'unauthorized' and message.keyId in ${JSON.stringify(keyIds)}`,
      'fields message.keyId as keyId',
    ],
    DeniedKey,
    period,
  );

export const operationOf = ({ method, path }: RequestGroup): string =>
  Object.values(operations).find((known) => known.method === method && known.path === path)?.operationId ??
  `${method} ${path}`;

/** Whether a request had a key that the authorizer accepted: only then the log has its id. */
export const isAccepted = ({ keyId }: RequestGroup) => keyId !== noValue;

/** Returns the ids of the keys that were accepted. */
export const keyIdsOf = (requests: readonly RequestGroup[]) => [
  ...new Set(requests.filter(isAccepted).map(({ keyId }) => keyId)),
];

export const sumOf = (groups: readonly { readonly count: number }[]) =>
  groups.reduce((sum, { count }) => sum + count, 0);

/** Returns how often groups were counted, with the first and the last time. */
export const spanOf = (groups: readonly Pick<RequestGroup, 'count' | 'first' | 'last'>[]) => ({
  count: sumOf(groups),
  first: new Date(Math.min(...groups.map(({ first }) => first.getTime()))),
  last: new Date(Math.max(...groups.map(({ last }) => last.getTime()))),
});

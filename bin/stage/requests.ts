import { requestRejectedMessage } from '../../shared/lambda/log.ts';
import { operations } from '../../shared/service.ts';
import { damagedItemMessage } from '../../shared/tables/stored-item.ts';
import { type Clients, type Period, query, timeOf } from './aws.ts';

/** Requests of the access log that have all of this in common. */
export interface RequestGroup {
  readonly status: number;
  /** Why API Gateway or the web ACL responded itself. */
  readonly responseType: string;
  readonly waf: string;
  /** Lambda's status, such as 429 if it does not run the function. */
  readonly integrationStatus: string;
  readonly operation: string;
  readonly client: string;
  readonly keyId: string;
  readonly requests: number;
  readonly first: Date;
  readonly last: Date;
}

/** Lines of the functions' logs that have all of this in common: a failure, or why a request was rejected. */
export interface LogGroup {
  readonly function: string;
  readonly version: string;
  readonly isFailure: boolean;
  readonly code: string;
  readonly keyId: string;
  readonly error: string;
  readonly text: string;
  /** The table and the key of a damaged item. */
  readonly damaged: { readonly table: string; readonly key: string; readonly attributes: string } | undefined;
  readonly lines: number;
  readonly first: Date;
}

const operationIds = new Map(
  Object.values(operations).map(({ method, path, operationId }) => [`${method} ${path}`, operationId]),
);

/** Reads the requests of a period from the access log. */
export async function readRequests(
  clients: Clients,
  accessLog: string,
  period: Period,
): Promise<readonly RequestGroup[]> {
  const rows = await query(clients, {
    logGroupNames: [accessLog],
    lines: [
      'stats count(*) as requests, min(@timestamp) as first, max(@timestamp) as last by status, responseType, waf, integrationStatus, method, path, client, keyId',
      'limit 10000',
    ],
    ...period,
  });
  return rows.map((row) => {
    const field = (name: string) => row(name).replace(/^-$/, '');
    const call = `${field('method')} ${field('path')}`;
    return {
      status: Number(row('status')),
      responseType: field('responseType'),
      waf: field('waf'),
      integrationStatus: field('integrationStatus'),
      operation: operationIds.get(call) ?? call,
      client: field('client'),
      keyId: field('keyId'),
      requests: Number(row('requests')),
      first: timeOf(row('first')),
      last: timeOf(row('last')),
    };
  });
}

/** Reads from the functions' logs what failed, and which keys and requests were rejected. */
export async function readLog(
  clients: Clients,
  logGroupNames: readonly string[],
  period: Period,
): Promise<readonly LogGroup[]> {
  const rows = await query(clients, {
    logGroupNames,
    lines: [
      `filter level = 'ERROR' or message.message = '${requestRejectedMessage}' or record.status = 'timeout'`,
      'fields coalesce(message.error.name, message.errorType, record.status) as error, coalesce(message.error.message, message.errorMessage) as text',
      'stats count(*) as lines, min(@timestamp) as first by @log, level, message.functionVersion, message.message, message.code, message.keyId, message.table, message.key, message.attributes, error, text',
      'sort lines desc',
      'limit 10000',
    ],
    ...period,
  });
  return rows.map((row) => ({
    // The account's id stands before the name of the log group.
    function: row('@log').replace(/^\d+:/, ''),
    version: row('message.functionVersion'),
    isFailure: row('message.message') !== requestRejectedMessage,
    code: row('message.code'),
    keyId: row('message.keyId'),
    error: row('error'),
    text: row('text'),
    damaged:
      row('message.message') === damagedItemMessage
        ? { table: row('message.table'), key: row('message.key'), attributes: row('message.attributes') }
        : undefined,
    lines: Number(row('lines')),
    first: timeOf(row('first')),
  }));
}

export type Total = readonly [name: string, total: number];

/** Returns the total of each value of a field, the largest first. */
export function totalBy<T>(
  items: readonly T[],
  field: (item: T) => string,
  count: (item: T) => number,
): readonly Total[] {
  const totals = new Map<string, number>();
  for (const item of items) totals.set(field(item), (totals.get(field(item)) ?? 0) + count(item));
  return [...totals].toSorted(([, a], [, b]) => b - a);
}

export const requestsOf = (groups: readonly RequestGroup[]) =>
  groups.reduce((sum, { requests }) => sum + requests, 0);

/** As the alarms count them: what reached an operation or failed. */
export const isServed = ({ status, client }: RequestGroup) =>
  status >= 500 || (client !== '' && status !== 405 && status !== 429);

import { operations } from '../../shared/service.ts';
import type { AccessField } from '../service/access-log-format.ts';

/** What stands in the access log for a value that a request lacks. */
export const noValue = '-';

/** A request of the access log, as far as conditions look at it. */
type LoggedRequest = Readonly<
  Record<'client' | 'method' | 'path' | 'responseType' | 'waf', string> & Record<'status', number>
>;

/** A condition on requests, defined once: for the alarms as a filter pattern, and for lines that were read. */
export interface Condition {
  readonly pattern: string;
  readonly holds: (request: LoggedRequest) => boolean;
}

const operators = {
  '=': (one: string | number, other: string | number) => one === other,
  '!=': (one: string | number, other: string | number) => one !== other,
  '>=': (one: string | number, other: string | number) => one >= other,
};

const is = <Field extends keyof LoggedRequest & AccessField>(
  field: Field,
  operator: keyof typeof operators,
  value: LoggedRequest[Field],
): Condition => ({
  pattern: `($.${field} ${operator} ${JSON.stringify(value)})`,
  holds: (request) => operators[operator](request[field], value),
});

const all = (...conditions: readonly Condition[]): Condition => ({
  pattern: `(${conditions.map(({ pattern }) => pattern).join(' && ')})`,
  holds: (request) => conditions.every(({ holds }) => holds(request)),
});

const any = (...conditions: readonly Condition[]): Condition => ({
  pattern: `(${conditions.map(({ pattern }) => pattern).join(' || ')})`,
  holds: (request) => conditions.some(({ holds }) => holds(request)),
});

export const failed = is('status', '>=', 500);

/** Requests that reached an operation or failed: a flood without valid keys does not hide errors. */
export const served = any(
  failed,
  all(is('client', '!=', noValue), is('status', '!=', 405), is('status', '!=', 429)),
);

/** The authorizer denied a key, or its form is wrong. What the web ACL blocks has another type. */
export const denied = any(is('responseType', '=', 'ACCESS_DENIED'), is('responseType', '=', 'UNAUTHORIZED'));

/** Responses with a 400 or 404. */
export const rejected = any(is('status', '=', 400), is('status', '=', 404));

/** Requests to an operation. */
export const calls = ({ method, path }: { readonly method: string; readonly path: string }) =>
  all(is('method', '=', method), is('path', '=', path));

/**
 * The web ACL already handles what it blocks. HEAD and unsupported methods have limits of their own, which anybody can
 * exceed without disturbing a client.
 */
export const throttled = all(
  is('status', '=', 429),
  is('waf', '!=', 'WAF_BLOCK'),
  any(...Object.values(operations).map(calls)),
);

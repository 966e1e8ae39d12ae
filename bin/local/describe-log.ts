import * as v from 'valibot';
import { createdMessage } from '../../shared/lambda/log.ts';

/** What the service logs. */
const ServiceMessage = v.object({
  message: v.string(),
  requestId: v.optional(v.string()),
  invalid: v.optional(v.string()),
  position: v.optional(v.string()),
  table: v.optional(v.string()),
  key: v.optional(v.string()),
  attributes: v.optional(v.string()),
  error: v.optional(v.unknown()),
});

/** An error as the service logs it. */
const LoggedError = v.object({
  message: v.optional(v.string()),
  stack: v.optional(v.string()),
  cause: v.optional(v.unknown()),
});

/** Returns the readable text of what the service logs, or undefined if it is something else. */
export function describeLog(logged: unknown): string | undefined {
  if (!v.is(ServiceMessage, logged)) return undefined;
  const { message, requestId, invalid, position, table, key, attributes, error } = logged;
  // The line of the request already says so.
  if (message === createdMessage) return '';
  const mistakes = [invalid, position, attributes].filter(Boolean).join(', ');
  const what = Object.entries({ Table: table, Key: key, Invalid: mistakes }).map(([name, text]) =>
    text ? ` ${name}: ${text}.` : '',
  );
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  const cause = error === undefined ? '' : `\n${errorText(error)}`;
  return `${message}${what.join('')}${request}${cause}`;
}

/** Returns an error with its causes. */
function errorText(error: unknown): string {
  const { message, stack, cause } = v.is(LoggedError, error) ? error : {};
  // What is thrown may have no stack.
  const text = stack ?? message ?? JSON.stringify(error);
  return cause === undefined ? text : `${text}\ncaused by ${errorText(cause)}`;
}

import { AsyncLocalStorage } from 'node:async_hooks';

/** Logged for each 201, with client, key id, the table and the key of the item, and whether it was a replay. */
export const createdMessage = 'An item was created.';

/**
 * Logged for each request that a handler rejects or the authorizer denies, with the error's code, and with the
 * names of the invalid fields or parameters, or the position of what makes the JSON malformed.
 */
export const requestRejectedMessage = 'A request was rejected.';

/** Fields that tie a log line to its invocation: the API's request id, and the key id. */
type Invocation = Readonly<Partial<Record<'requestId' | 'keyId', string | undefined>>>;

/**
 * Further fields of a log line: `code` is that of the error that the client gets, `invalid` names what is invalid,
 * `position` is where JSON is malformed, `key` and `attributes` are of an item. Never put a body, an Idempotency-Key or
 * an API key into them.
 */
type Details = Invocation &
  Readonly<
    Partial<Record<'code' | 'invalid' | 'position' | 'client' | 'table' | 'key' | 'attributes', string>>
  > & { readonly isReplay?: boolean };

/** Set by Lambda: the published version, which leads from an error to the release that caused it. */
const functionVersion = process.env['AWS_LAMBDA_FUNCTION_VERSION'];

type Context = Invocation & { readonly coldStart: boolean };

/** The fields of a log line, which queries and metrics name. */
export type LogField = 'message' | keyof Context | 'functionVersion' | keyof Details | 'error';

/**
 * The invocation that started the work that logs. Work that outlives its invocation, such as a call that was
 * still waiting when the client got a 503, goes on during the next one, and keeps its own ids.
 */
const current = new AsyncLocalStorage<Context>();

/** What is logged during init, which belongs to the first invocation of an execution environment. */
const init: Context = { coldStart: true };
let isFirst = true;

/** Sets the invocation of what its caller logs from here on. Call it before the handler's first `await`. */
export function startInvocation(details: Invocation = {}): void {
  current.enterWith({ ...details, coldStart: isFirst });
  isFirst = false;
}

const context = () => ({ ...(current.getStore() ?? init), functionVersion });

/** Logs an event that operators may look up later, or that a metric counts for each version. */
export function logInfo(message: string, details: Details): void {
  console.info({ message, ...context(), ...details });
}

/** Logs a failure that no client sees. */
export function logWarning(message: string, error: unknown): void {
  console.warn({ message, ...context(), error: errorFields(error) });
}

/** Logs an error of the service with its causes, never what a client sent. Lambda adds time and level. */
export function logError(message: string, error: unknown, details: Details = {}): void {
  console.error({ message, ...context(), ...details, error: errorFields(error) });
}

/** Two errors can be the cause of each other. */
const maxDepth = 5;

/** What anything that is thrown may have. */
type Thrown = Readonly<Partial<Record<'message' | 'stack' | 'code' | 'cause', unknown>>>;

/** Returns what is logged of an error, or of anything else that code or a library throws. */
function errorFields(error: unknown, depth = 0): unknown {
  if (error === undefined) return undefined;
  const { message, stack, code, cause }: Thrown = Object(error);
  // Where several attempts failed, each for a reason of its own, the first reason is a cause.
  const reason = error instanceof AggregateError ? (cause ?? error.errors[0]) : cause;
  return {
    // Of another object, it may be what a client sent.
    name: error instanceof Error ? error.name : undefined,
    message: ifText(message) ?? describe(error),
    code: ifText(code),
    stack: ifText(stack),
    cause: depth === maxDepth ? undefined : errorFields(reason, depth + 1),
  };
}

const ifText = (value: unknown) => (typeof value === 'string' ? value : undefined);

const describe = (thrown: unknown) =>
  typeof thrown === 'object' && thrown !== null
    ? `An object with ${Object.keys(thrown).join(', ')} was thrown.`
    : String(thrown);

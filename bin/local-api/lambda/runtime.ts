import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import type { Context } from 'aws-lambda';
import {
  type Invocation,
  type InvocationError,
  nodeVariables,
  type RuntimeMessage,
  type RuntimeOptions,
} from './runtime-protocol.ts';

// The main module of a function's process:
// https://github.com/aws/aws-lambda-nodejs-runtime-interface-client

const { spec, module, timeoutMs, hasReadableLog }: RuntimeOptions = JSON.parse(process.argv[2] ?? '');
for (const name of nodeVariables) delete process.env[name];
// By default, SDK and Middy frames would leave no room for the handler's.
Error.stackTraceLimit = 100;

let requestId: string | undefined;
/** As JSON, what people have read of errors in the current invocation. */
let readErrors = '';
globalThis.console = new Console(process.stderr);
for (const method of ['trace', 'debug', 'info', 'warn', 'error'] as const) {
  // The functions' application log level is INFO.
  const isBelowInfo = ['trace', 'debug'].includes(method);
  console[method] = (...args) => {
    if (isBelowInfo && !hasReadableLog) return;
    const message = args.length === 1 ? toJson(args[0]) : format(...args);
    const text = hasReadableLog ? { text: format(...args) } : {};
    if (hasReadableLog && method === 'error') readErrors += JSON.stringify(message);
    send({ log: { level: method.toUpperCase(), requestId, message, ...text } });
  };
}
console.log = console.info;

process
  .on('unhandledRejection', (reason) => {
    const error = describe(reason);
    const errorMessage = `${error.errorType}: ${error.errorMessage}`;
    send({ fatal: { ...error, errorType: 'Runtime.UnhandledPromiseRejection', errorMessage } });
  })
  .on('uncaughtException', (error) => send({ fatal: describe(error) }));

type Handler = (event: unknown, context: unknown) => unknown;
const handler = await loadHandler();
// Only now: while it listens, the process does not end, even if the module awaits what nothing can settle.
process
  .on('message', async ({ event }: Invocation) => {
    try {
      send({ payload: await invoke(event) });
    } catch (error) {
      send({ error: describe(error), isRead: isRead(error) });
    }
  })
  .on('disconnect', () => process.exit());
send({ payload: null });
// The process will be killed.
flushCompileCache();

/** Loads the module once, as in Lambda. */
async function loadHandler(): Promise<Handler> {
  const [, exportName = ''] = spec.handler.split('.');
  const exported = await import(pathToFileURL(module).href).catch(fail);
  if (typeof exported[exportName] === 'function') return exported[exportName];
  const names = Object.keys(exported).join(', ') || 'nothing';
  const error = new Error(`${spec.handler} is undefined or not exported. The module exports: ${names}.`);
  return fail(Object.assign(error, { name: 'Runtime.HandlerNotFound' }));
}

/** Tells why init failed, and waits for the end of the process. */
function fail(error: unknown): Promise<never> {
  send({ fatal: describe(error) });
  return new Promise(() => undefined);
}

async function invoke(event: unknown): Promise<unknown> {
  requestId = randomUUID();
  readErrors = '';
  const deadline = Date.now() + timeoutMs;
  const context = {
    functionName: spec.name,
    functionVersion: spec.version,
    invokedFunctionArn: spec.arn,
    memoryLimitInMB: `${spec.memoryMb}`,
    awsRequestId: requestId,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  } satisfies Partial<Context>;
  return JSON.parse(JSON.stringify(await handler(event, context)) ?? 'null');
}

/**
 * Describes an error with its cause, which Lambda's runtime leaves out. Of a thrown object that is no error, that
 * runtime tells nothing either: it may be what a client sent.
 */
function describe(error: unknown): InvocationError {
  if (!(error instanceof Error)) {
    return { errorType: typeof error, errorMessage: String(error), stackTrace: [] };
  }
  const { name, message, cause } = error;
  const causeLines =
    cause instanceof Error ? [`Caused by: ${cause.name}: ${cause.message}`, ...framesOf(cause)] : [];
  return { errorType: name, errorMessage: message, stackTrace: [...framesOf(error), ...causeLines] };
}

/** Returns whether a function has logged the error that it throws: Lambda's own line would repeat it. */
const isRead = (error: unknown) =>
  error instanceof Error && readErrors.includes(JSON.stringify(error.stack ?? error.message).slice(1, -1));

/** Returns the lines of a stack without the message, which may have several lines. */
function framesOf({ stack = '' }: Error): string[] {
  return stack.split('\n').filter((line) => line.startsWith('    at '));
}

/**
 * Returns a value as Lambda's runtime logs it; what JSON can't represent, such as a bigint, is formatted.
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/logging/formatter.ts
 */
function toJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value, replaceError) ?? 'null');
  } catch {
    return format(value);
  }
}

function replaceError(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const stackTrace = value.stack?.split('\n') ?? [];
  return { errorType: value.constructor.name, errorMessage: value.message, stackTrace, ...value };
}

function send(message: RuntimeMessage): void {
  process.send?.(message);
}

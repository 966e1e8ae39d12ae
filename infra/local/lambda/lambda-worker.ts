import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { workerData } from 'piscina';
import { reachSockets } from '../http/unix-socket.ts';
import { printable } from '../text/printable.ts';
import { jsonConsole } from './json-console.ts';
import type { InvocationOutcome, WorkerData } from './local-function.ts';
import { readable } from './readable-log.ts';

const { name, codeDirectory, handler, timeoutMs, hasReadableLog }: WorkerData = workerData;

// It was for this worker: the function has no variables but its own.
delete process.env['NODE_COMPILE_CACHE'];

// What a function logs is for the developer; standard output is the local API's own.
let requestId: string | undefined;
globalThis.console = jsonConsole(() => requestId, hasReadableLog ? readable : undefined);

// The embedded DynamoDB listens on a socket.
reachSockets();

const [file = '', exportName = ''] = handler.split('.');

// Init, as in Lambda: the module is loaded once, and one that fails to load fails every invocation.
const loading: Promise<(event: unknown, context: unknown) => Promise<unknown>> = import(
  pathToFileURL(`${codeDirectory}/${file}.mjs`).href
).then((module) => module[exportName]);
await loading.catch(() => undefined);

/** Invokes the function once, as the Lambda runtime does. */
export async function invoke(event: unknown): Promise<InvocationOutcome> {
  const deadline = Date.now() + timeoutMs;
  requestId = randomUUID();
  const context = {
    functionName: name,
    awsRequestId: requestId,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`Task timed out after ${timeoutMs / 1000} seconds`)),
    timeoutMs,
  );

  try {
    const handle = await loading;
    return { payload: await Promise.race([handle(event, context), timedOut]) };
  } catch (error) {
    const { name: errorType, message: errorMessage, stack } = asError(error);
    process.stderr.write(`${printable(`${stack}`)}\n`);
    return { error: { errorType, errorMessage } };
  } finally {
    clearTimeout(timer);
  }
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)));

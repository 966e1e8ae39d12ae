import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import { thrownValue } from '../../../shared/lambda/thrown-value.ts';
import { projectRoot } from '../../project-root.ts';
import type { InvocationError, WorkerData, WorkerMessage } from './execution-environment.ts';
import { logLine } from './log-line.ts';
import { watchAwaits } from './pending-await.ts';
import { responseJson } from './response-json.ts';

// The runtime of a function, in a worker thread:
// https://github.com/aws/aws-lambda-nodejs-runtime-interface-client

const { spec, isDebugged, initTimeoutMs }: WorkerData = workerData;
const [file = '', exportName = ''] = spec.handler.split('.');

// Only for this file and what it loads: Lambda sets no such variable.
delete process.env['NODE_COMPILE_CACHE'];
// By default, SDK and Middy frames would leave no room for the handler's.
Error.stackTraceLimit = 100;

// Lambda starts functions in their directory. A worker can't change its own.
process.cwd = () => spec.codeDirectory;

let requestId: string | undefined;
globalThis.console = new Console(process.stderr);
for (const method of ['info', 'warn', 'error'] as const) {
  console[method] = (...args) => send({ log: logLine(method.toUpperCase(), requestId, args) });
}
console.log = console.info;
// The functions' application log level is INFO.
console.debug = console.trace = () => undefined;

process
  .on('unhandledRejection', (reason) => {
    const error = describe(reason);
    const errorMessage = `${error.errorType}: ${error.errorMessage}`;
    exit({ ...error, errorType: 'Runtime.UnhandledPromiseRejection', errorMessage });
  })
  .on('uncaughtException', (error) => exit(describe(error)))
  .on('exit', (code) => exit({ ...describe(new Error(exitMessage(code))), errorType: 'Runtime.ExitError' }));

type Handler = (event: unknown, context: unknown) => unknown;
let handler: Handler;

init().then(
  () => {
    // Only now: while it listens, the thread does not end, even if the module awaits what nothing can settle.
    parentPort?.on('message', async (event: unknown) => {
      try {
        send({ payload: await invoke(event) });
      } catch (error) {
        send({ error: describe(error) });
      }
    });
    send({ payload: null });
    flushCompileCache();
  },
  (error: unknown) => exit(describe(error)),
);

/** Loads the module once, as in Lambda. */
async function init(): Promise<void> {
  const bundle = join(spec.codeDirectory, `${file}.mjs`);
  const { href } = pathToFileURL(isDebugged ? await sourcePath() : bundle);
  const awaits = watchAwaits();
  const endWaiting = (errorType: string, errorMessage: string) =>
    exit({ errorType, errorMessage, stackTrace: awaits.place() });
  const endWithoutWork = () =>
    endWaiting('Runtime.ExitError', 'The module awaits a promise that nothing can settle any more.');
  process.once('beforeExit', endWithoutWork);
  const seconds = (initTimeoutMs / 1000).toFixed(2);
  const timeOut = () => endWaiting('Sandbox.Timedout', `Task timed out after ${seconds} seconds`);
  const timeout = setTimeout(timeOut, initTimeoutMs).unref();
  if (isDebugged) clearTimeout(timeout);
  send({ isInitializing: true });

  const module = await import(href);
  clearTimeout(timeout);
  process.off('beforeExit', endWithoutWork);
  awaits.stop();
  handler = module[exportName];
  if (typeof handler !== 'function') {
    const names = Object.keys(module).join(', ') || 'nothing';
    const error = new Error(`${spec.handler} is undefined or not exported. The module exports: ${names}.`);
    throw Object.assign(error, { name: 'Runtime.HandlerNotFound' });
  }
}

/** Returns the source of the handler, which has the breakpoints. */
async function sourcePath(): Promise<string> {
  // Loaded late: only a debugger needs it.
  const { handlerSource } = await import('./handler-source.ts');
  const source = handlerSource(spec.codeDirectory, file);
  if (source === undefined) throw new Error(`${spec.handler} has no source in functions/.`);
  return join(projectRoot, source);
}

async function invoke(event: unknown): Promise<unknown> {
  requestId = randomUUID();
  const deadline = Date.now() + (isDebugged ? 24 * 60 * 60 * 1000 : spec.timeoutMs);
  const context = {
    functionName: spec.name,
    functionVersion: spec.version,
    invokedFunctionArn: spec.arn,
    memoryLimitInMB: `${spec.memoryMb}`,
    awsRequestId: requestId,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  } satisfies Partial<Context>;
  return responseJson(await handler(event, context));
}

function describe(error: unknown): InvocationError {
  if (!(error instanceof Error)) {
    return { errorType: typeof error, errorMessage: thrownValue(error), stackTrace: [] };
  }
  const { name, message, stack = '' } = error;
  return { errorType: name, errorMessage: explained(message), stackTrace: stack.split('\n').slice(1) };
}

/** V8 does not say why, and names what a bundle names otherwise. */
const explained = (message: string) =>
  /^Cannot access '.+' before initialization$/.test(message)
    ? `${message}. A circular import can be the cause.`
    : message;

const exitMessage = (code: number) =>
  code === 0 ? 'Runtime exited without providing a reason' : `Runtime exited with error: exit status ${code}`;

function send(message: WorkerMessage): void {
  parentPort?.postMessage(message);
}

const exit = (fatal: InvocationError) => send({ fatal });

import { Console } from 'node:console';
import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import type { Context } from 'aws-lambda';
import { projectRoot } from '../../project-root.ts';
import type { InvocationError, WorkerData, WorkerMessage } from './execution-environment.ts';
import { logLine } from './log-line.ts';

// The runtime of a function, in a worker thread:
// https://github.com/aws/aws-lambda-nodejs-runtime-interface-client

const { spec, isDebugged }: WorkerData = workerData;
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

parentPort?.on('message', async (event: unknown) => {
  try {
    send({ payload: await invoke(event) });
  } catch (error) {
    send({ error: describe(error) });
  }
});
init().then(
  () => {
    send({ payload: null });
    flushCompileCache();
  },
  (error: unknown) => exit(describe(error)),
);

/** Loads the module once, as in Lambda. */
async function init(): Promise<void> {
  const bundle = join(spec.codeDirectory, `${file}.mjs`);
  const module = await import(pathToFileURL(isDebugged ? await sourcePath() : bundle).href);
  handler = module[exportName];
  if (typeof handler !== 'function') {
    const error = new Error(`${spec.handler} is undefined or not exported`);
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
  return JSON.parse(JSON.stringify(await handler(event, context)) ?? 'null');
}

function describe(error: unknown): InvocationError {
  const { name, message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  return { errorType: name, errorMessage: explained(message), stackTrace: stack.split('\n').slice(1) };
}

/** V8 does not say why, and names what a bundle names otherwise. */
const explained = (message: string) =>
  /^Cannot access '.+' before initialization$/.test(message)
    ? `${message}. A circular import can be the cause.`
    : message;

const exitMessage = (code: number) =>
  code === 0 ? 'Runtime exited without providing a reason' : `Runtime exited with error: exit status ${code}`;

const send = (message: WorkerMessage) => parentPort?.postMessage(message);

const exit = (fatal: InvocationError) => send({ fatal });

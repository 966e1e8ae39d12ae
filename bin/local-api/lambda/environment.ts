import { fork } from 'node:child_process';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import type { FunctionSpec } from '../template/deployment.ts';
import { endWithThisProcess } from './end-with-this-process.ts';
import { unsettledAwait } from './exit-codes.ts';
import type { FunctionLog } from './function-log.ts';
import {
  type Invocation,
  type InvocationError,
  type InvocationOutcome,
  nodeVariables,
  type RuntimeMessage,
  type RuntimeOptions,
} from './runtime-protocol.ts';
import { stackOf } from './stack-of.ts';

/** A process that runs the handler of a function, for one request at a time. */
export type Environment = ReturnType<typeof startEnvironment>;

interface EnvironmentOptions {
  /** The file to import: the bundle, or for a debugger the source. */
  readonly module: string;
  /** Whether a debugger may attach, without limits of time and memory. */
  readonly isDebugged: boolean;
  readonly hasReadableLog: boolean;
  readonly initTimeoutMs: number;
  /** How long to look for the place of a timeout. */
  readonly placeTimeoutMs: number;
  readonly log: FunctionLog;
  /** Gets a line that the process printed by itself. */
  readonly onPrint: (line: string) => void;
}

/** What a debugger may take. */
const dayMs = 24 * 60 * 60 * 1000;

/** It is beside this file: as a source, or as a bundle. */
const runtimeFile = new URL(`./runtime${extname(import.meta.url)}`, import.meta.url);

const nodeEnvironment = () =>
  Object.fromEntries(nodeVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));

/** How V8's report begins on what ends a process, or Node's on an `await` that nothing settles. */
const reportStart = /^(<--- |FATAL ERROR: |# Fatal |Warning: Detected unsettled)/;

/** What Node prints when the inspector opens, other than its address. */
const inspectorNews =
  /^(Debugger (listening|attached|ending)|For help, see: https:\/\/nodejs\.org|Waiting for the debugger)/;

/** Starts an execution environment of a function. Its time is measured here, because it may never yield. */
export function startEnvironment(spec: FunctionSpec, options: EnvironmentOptions) {
  const { module, isDebugged, hasReadableLog, initTimeoutMs, placeTimeoutMs, log, onPrint } = options;
  const { environment, ...rest } = spec;
  const timeoutMs = isDebugged ? dayMs : spec.timeoutMs;
  const runtimeOptions: RuntimeOptions = { spec: rest, module, timeoutMs, hasReadableLog };
  const child = fork(runtimeFile, [JSON.stringify(runtimeOptions)], {
    cwd: spec.codeDirectory,
    env: { ...nodeEnvironment(), ...environment },
    execArgv: isDebugged
      ? ['--inspect=0']
      : [
          '--inspect-port=0',
          // Who knows the inspector's address runs code here: over HTTP, Node would tell it to every user.
          '--inspect-publish-uid=stderr',
          // By default, V8 would keep 50 MB for young objects.
          '--max-semi-space-size=2',
          `--max-old-space-size=${spec.memoryMb}`,
        ],
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  endWithThisProcess(child);
  const closed = Promise.withResolvers<void>();
  const report: string[] = [];
  let hasStarted = false;
  let hasEnded = false;
  let settle: ((outcome: InvocationOutcome) => void) | undefined;

  child
    .on('message', (message: RuntimeMessage) => {
      if (hasEnded) return;
      if ('log' in message) log.write(message.log);
      else if ('fatal' in message) end(message.fatal);
      else if ('error' in message) reportFailure(message.error, message.isRead);
      else settle?.(message);
    })
    .on('error', ({ message }) => end(exitError(message)))
    // Unlike `exit`, it follows all messages and the whole report.
    .on('close', (code, signal) => {
      const isOutOfMemory = report.some((line) => line.includes('heap out of memory'));
      end(isOutOfMemory ? outOfMemory(spec.memoryMb) : exitError(exitMessage(code, signal), report));
      closed.resolve();
    });
  const printed = child.stderr && createInterface(child.stderr);
  printed?.on('line', (line) => {
    if (report.length > 0 || reportStart.test(line)) report.push(line);
    else if (line !== '' && !inspectorNews.test(line)) onPrint(line);
    else if (isDebugged && line.startsWith('Debugger listening')) onPrint(line);
  });

  /** Waits for the outcome of init or of an invocation. */
  async function outcome(limitMs: number): Promise<InvocationOutcome> {
    const { promise, resolve } = Promise.withResolvers<InvocationOutcome>();
    settle = resolve;
    const timer = setTimeout(() => timeOut(limitMs), isDebugged ? dayMs : limitMs);
    const result = await promise;
    clearTimeout(timer);
    settle = undefined;
    return result;
  }

  async function timeOut(limitMs: number): Promise<void> {
    hasEnded = true;
    const stackTrace = printed ? await stackOf(child, printed, placeTimeoutMs) : [];
    child.kill('SIGKILL');
    const errorMessage = `Task timed out after ${(limitMs / 1000).toFixed(2)} seconds`;
    reportFailure({ errorType: 'Sandbox.Timedout', errorMessage, stackTrace });
  }

  function end(error: InvocationError): void {
    if (hasEnded) return;
    hasEnded = true;
    child.kill('SIGKILL');
    reportFailure(error);
  }

  function reportFailure(error: InvocationError, isRead = false): void {
    if (hasStarted && !isRead) log.writeFailure(error);
    settle?.({ error });
  }

  async function start(): Promise<InvocationError | undefined> {
    const init = await outcome(initTimeoutMs);
    if ('error' in init) return init.error;
    hasStarted = true;
    return undefined;
  }

  const started = start();
  return {
    /** Tells why init failed, if it did, once it is over. It is logged only if a request needs it. */
    started,

    /** After a timeout, a failed init or an error that ends the process, another environment is needed. */
    hasEnded: () => hasEnded,

    async invoke(event: unknown): Promise<InvocationOutcome> {
      const error = await started;
      if (error) {
        log.writeFailure(error);
        return { error };
      }
      child.send({ event } satisfies Invocation);
      return outcome(spec.timeoutMs);
    },

    /** Ends the process, whatever it does. */
    close(): Promise<void> {
      settle?.({ error: closedError });
      hasEnded = true;
      child.kill('SIGKILL');
      return closed.promise;
    },

    /** Resolves when the process has ended. */
    closed: closed.promise,
  };
}

const outOfMemory = (limitMb: number): InvocationError => ({
  errorType: 'Runtime.OutOfMemory',
  errorMessage: `The function used more than its ${limitMb} MB of memory.`,
  stackTrace: [],
});

/** V8's own words say more than the signal that follows them. */
const exitError = (errorMessage: string, report: readonly string[] = []): InvocationError => ({
  errorType: 'Runtime.ExitError',
  errorMessage,
  stackTrace: report.filter((line) => /fatal/i.test(line)),
});

/** The outcome of a request that the end of the local API, or of a version, interrupts. */
export const closedError = exitError('The local API has ended the function.');

/** Returns Lambda's words for the end of a process, and what its exit code means. */
function exitMessage(code: number | null, signal: string | null): string {
  if (signal !== null) return `Runtime exited with error: signal: ${signal}`;
  if (code === 0) return 'Runtime exited without providing a reason';
  const why = code === unsettledAwait ? ': it awaits a promise that nothing can settle any more' : '';
  return `Runtime exited with error: exit status ${code}${why}`;
}

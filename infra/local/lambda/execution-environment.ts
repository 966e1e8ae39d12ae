import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { thrownValue } from '../../../shared/lambda/thrown-value.ts';
import type { FunctionSpec } from '../template/deployment.ts';
import type { LogLine } from './log-line.ts';
import { stackOf } from './stack-of.ts';
import { watchHeap } from './watch-heap.ts';

/** Why an invocation failed, as Lambda reports it. */
export interface InvocationError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly stackTrace: readonly string[];
}

export type InvocationOutcome = { readonly payload: unknown } | { readonly error: InvocationError };

/** A message from the worker: that init begins, a response, a log line, or the error that ends the worker. */
export type WorkerMessage =
  | { readonly isInitializing: true }
  | InvocationOutcome
  | { readonly log: LogLine }
  | { readonly fatal: InvocationError };

export interface WorkerData {
  readonly spec: FunctionSpec;
  readonly isDebugged: boolean;
  readonly initTimeoutMs: number;
}

/** What serves one request at a time. */
export interface Environment {
  /** After a timeout, a failed init or an error that ends a process, Lambda starts another environment. */
  hasEnded(): boolean;
  invoke(event: unknown): Promise<InvocationOutcome>;
  close(): Promise<void>;
}

/** Where a function's log goes. */
export interface FunctionLog {
  write(line: LogLine): void;
  /** Writes an error that the function did not log itself. */
  writeFailure(error: InvocationError): void;
}

interface EnvironmentOptions {
  /** Whether there is no limit of time, and none of memory but V8's. */
  readonly isDebugged?: boolean;
  readonly initTimeoutMs?: number;
  readonly log: FunctionLog;
  /** Is called when the function has initialized. If it fails to, its failure is logged instead. */
  readonly onStart?: (() => void) | undefined;
  /** Is called after the last log line. */
  readonly onEnd?: () => void;
}

/**
 * Lambda's time limit for init.
 * https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib
 */
const lambdaInitTimeoutMs = 10_000;

/** Within this time, a thread that is not busy says what it awaits, even on a busy machine. */
const graceMs = 2000;

/** With V8's default, young objects that survive can outgrow the limit at once, which ends its process. */
const maxYoungGenerationSizeMb = 16;

/** It is beside this file: as a source, or as a bundle. */
const workerFile = new URL(`./lambda-worker${extname(import.meta.url)}`, import.meta.url);

/** With it, a worker starts in half the time, and without the 13 MB of Node's TypeScript compiler. */
const { NODE_COMPILE_CACHE = '' } = process.env;

export const outOfMemory = (limitMb: number): InvocationError => ({
  errorType: 'Runtime.OutOfMemory',
  errorMessage: `The function used more than its ${limitMb} MB of memory.`,
  stackTrace: [],
});

/** Starts an execution environment of a function in a thread of this process. */
export function startEnvironment(spec: FunctionSpec, options: EnvironmentOptions): Environment {
  const { isDebugged = false, initTimeoutMs = lambdaInitTimeoutMs, log, onStart, onEnd } = options;
  const workerData: WorkerData = { spec, isDebugged, initTimeoutMs };
  let hasEnded = false;
  let respond: (outcome: InvocationOutcome) => void = () => undefined;
  let timeLimit: NodeJS.Timeout | undefined;
  // The time zone is that of the process: a worker cannot have another.
  process.env['TZ'] = 'UTC';

  const worker = new Worker(workerFile, {
    name: spec.name,
    workerData,
    env: { ...spec.environment, ...(!isDebugged && { NODE_COMPILE_CACHE }) },
    resourceLimits: isDebugged ? {} : { maxOldGenerationSizeMb: spec.memoryMb, maxYoungGenerationSizeMb },
  })
    .on('message', (message: WorkerMessage) => {
      if (hasEnded) return;
      // The worker measures the same time from now on. On a busy machine, a thread can take a second to start.
      if ('isInitializing' in message) return void timeLimit?.refresh();
      if ('log' in message) return log.write(message.log);
      if ('fatal' in message) return end(message.fatal);
      if ('error' in message) log.writeFailure(message.error);
      respond(message);
    })
    // The worker handles its own errors, unless it exceeds its memory or removes what handles them.
    .on('error', (error: unknown) => end(failureOf(error)))
    // Without it, an invocation would wait for a thread that is gone.
    .on('exit', (code) => {
      const errorMessage = `The function ended without a response, with exit code ${code}.`;
      end({ errorType: 'Runtime.ExitError', errorMessage, stackTrace: [] });
      onEnd?.();
    });
  const initialized = outcome(initTimeoutMs, graceMs);
  initialized.then((init) => 'payload' in init && onStart?.());

  function failureOf(error: unknown): InvocationError {
    if (!(error instanceof Error)) {
      return { errorType: typeof error, errorMessage: thrownValue(error), stackTrace: [] };
    }
    if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return outOfMemory(spec.memoryMb);
    const { name, message, stack = '' } = error;
    return { errorType: name, errorMessage: message, stackTrace: stack.split('\n').slice(1) };
  }

  /** Waits for the outcome of init or of an invocation. */
  async function outcome(timeoutMs: number, extraMs = 0): Promise<InvocationOutcome> {
    const { promise, resolve } = Promise.withResolvers<InvocationOutcome>();
    respond = resolve;
    if (isDebugged) {
      using _heap = watchHeap(worker, (limitMb) => end(outOfMemory(limitMb)));
      return await promise;
    }
    using started = setTimeout(() => timeOut(timeoutMs), timeoutMs + extraMs);
    timeLimit = started;
    return await promise;
  }

  /** Responds first: the worker may be in a native call, and tells its stack only afterwards. */
  async function timeOut(timeoutMs: number): Promise<void> {
    const errorType = 'Sandbox.Timedout';
    const errorMessage = `Task timed out after ${(timeoutMs / 1000).toFixed(2)} seconds`;
    hasEnded = true;
    respond({ error: { errorType, errorMessage, stackTrace: [] } });
    log.writeFailure({ errorType, errorMessage, stackTrace: await stackOf(worker) });
    await worker.terminate();
  }

  function end(error: InvocationError): void {
    if (hasEnded) return;
    log.writeFailure(error);
    close();
    respond({ error });
  }

  async function close(): Promise<void> {
    hasEnded = true;
    await worker.terminate();
  }

  return {
    hasEnded: () => hasEnded,
    async invoke(event) {
      const init = await initialized;
      if ('error' in init) return init;
      worker.postMessage(event);
      return outcome(spec.timeoutMs);
    },
    close,
  };
}

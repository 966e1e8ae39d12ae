import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { FunctionSpec } from '../template/deployment.ts';
import {
  type Environment,
  type FunctionLog,
  type InvocationError,
  type InvocationOutcome,
  startEnvironment,
} from './execution-environment.ts';
import { functionSource } from './handler-source.ts';
import type { LogLine } from './log-line.ts';
import { writeLogLine } from './readable-log.ts';
import { startProcess } from './start-process.ts';

/** How a developer wants functions to run. */
export interface FunctionSettings {
  /**
   * One request at a time and without time limits, for a debugger that pauses the function. It runs in a thread
   * of this process: a debugger attaches to one process, with all its threads. Its limit of memory is not that of
   * the function, because V8 would end the process near the limit, but half of V8's own.
   */
  readonly isDebugged?: boolean;
  /** Whether the log is human-readable instead of JSON. */
  readonly hasReadableLog?: boolean;
}

/** How many requests a function serves at the same time: each needs a process. */
const maxEnvironments = 2;

/** The local API waits no longer for a start. After that, requests wait for it. */
const startLimitMs = 5000;

export type LocalFunction = ReturnType<typeof localFunction>;

/** Why a function did not start. */
export interface StartFailure {
  /** Such as `functions/get-pet.ts`. */
  readonly handler: string;
  readonly error: InvocationError;
}

/**
 * Returns a Lambda function, with one execution environment per concurrent request. The first one starts with
 * the first request, unless the function is started before.
 */
export function localFunction(spec: FunctionSpec, settings: FunctionSettings = {}) {
  const { isDebugged = false, hasReadableLog = false } = settings;
  const inTurn = pLimit(isDebugged ? 1 : maxEnvironments);
  const log: FunctionLog = {
    write: (line) => writeLogLine(line, hasReadableLog, () => functionSource(spec)),
    writeFailure: (error) => writeLogLine(failureLine(spec, error), hasReadableLog),
  };
  const newEnvironment = (startLog = log, onStart?: () => void): Environment =>
    isDebugged
      ? startEnvironment(spec, { isDebugged, log: startLog, onStart })
      : startProcess(spec, startLog, onStart);
  const idle: Environment[] = [];
  let isClosed = false;
  let lastInvokedAt = 0;

  return {
    spec,

    lastInvokedAt: () => lastInvokedAt,

    /** Starts an execution environment before the first request. */
    prestart: () => void idle.push(newEnvironment()),

    /**
     * Waits until an execution environment has started.
     *
     * @returns why it failed, if it did: the failure is not logged
     */
    async start(): Promise<StartFailure | undefined> {
      const { promise, resolve } = Promise.withResolvers<InvocationError | undefined>();
      let isStarting = true;
      const writeFailure = (error: InvocationError) =>
        isStarting ? resolve(error) : log.writeFailure(error);
      idle.push(newEnvironment({ write: log.write, writeFailure }, () => resolve(undefined)));
      const error = await Promise.race([promise, pause(startLimitMs, undefined, { ref: false })]);
      isStarting = false;
      return error && { handler: functionSource(spec), error };
    },

    invoke: (event: unknown): Promise<InvocationOutcome> =>
      inTurn(async () => {
        lastInvokedAt = performance.now();
        const last = idle.pop();
        const environment = last && !last.hasEnded() ? last : newEnvironment();
        const outcome = await environment.invoke(event);
        if (isClosed) await environment.close();
        else if (!environment.hasEnded()) idle.push(environment);
        return outcome;
      }),

    /** Stops each environment once it has responded. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all(idle.splice(0).map((environment) => environment.close()));
    },
  };
}

/** Returns the log line of an error. It names the handler's file: the function's name is CloudFormation's. */
function failureLine(spec: FunctionSpec, failure: InvocationError): LogLine {
  const { errorType, errorMessage, stackTrace } = failure;
  const message = functionSource(spec);
  const error = { errorType, errorMessage, stackTrace: [`${errorType}: ${errorMessage}`, ...stackTrace] };
  return { level: 'ERROR', message: { message, error } };
}

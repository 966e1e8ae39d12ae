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
   * of this process: a debugger attaches to one process, with all its threads. It has no limit of memory either,
   * because V8 would end the process at the limit.
   */
  readonly isDebugged?: boolean;
  /** Whether the log is human-readable instead of JSON. */
  readonly hasReadableLog?: boolean;
}

/** How many requests a function serves at the same time: each needs a process. */
const maxEnvironments = 2;

export type LocalFunction = ReturnType<typeof localFunction>;

/**
 * Returns a Lambda function, with one execution environment per concurrent request. The first one starts with
 * the first request, or at once if the function `isInUse`.
 */
export function localFunction(spec: FunctionSpec, settings: FunctionSettings = {}, isInUse = false) {
  const { isDebugged = false, hasReadableLog = false } = settings;
  const inTurn = pLimit(isDebugged ? 1 : maxEnvironments);
  const log: FunctionLog = {
    write: (line) => writeLogLine(line, hasReadableLog),
    writeFailure: (error) => writeLogLine(failureLine(spec, error), hasReadableLog),
  };
  const start = (): Environment =>
    isDebugged ? startEnvironment(spec, { isDebugged, log }) : startProcess(spec, log);
  // A debugger sets its breakpoints before the first request.
  const idle = isDebugged || isInUse ? [start()] : [];
  let isClosed = false;
  let wasInvoked = isInUse;

  return {
    spec,

    wasInvoked: () => wasInvoked,

    invoke: (event: unknown): Promise<InvocationOutcome> =>
      inTurn(async () => {
        wasInvoked = true;
        const last = idle.pop();
        const environment = last && !last.hasEnded() ? last : start();
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

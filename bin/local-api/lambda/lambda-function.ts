import { join } from 'node:path';
import pLimit from 'p-limit';
import type { FunctionSpec } from '../template/deployment.ts';
import { closedError, type Environment, startEnvironment } from './environment.ts';
import { functionLog, type LogSettings } from './function-log.ts';
import { handlerFile, handlerSource } from './handler-source.ts';
import type { InvocationError, InvocationOutcome } from './runtime-protocol.ts';

/** How functions run. */
export interface FunctionSettings extends LogSettings {
  /** Runs functions from their sources for a debugger, one request at a time, without limits of time and memory. */
  readonly isDebugged?: boolean;
  /** In place of the usual limits. */
  readonly limits?: Partial<typeof usualLimits>;
}

/** In milliseconds. */
const usualLimits = {
  /** Lambda's own: https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html#runtimes-lifecycle-ib */
  init: 10_000,
  /** After this time without a request, an environment is ended, unless it is the only idle one. */
  idle: 10_000,
  /** For looking for the place of a timeout. */
  place: 3000,
};

/** How many requests a function serves at the same time: each needs a process. */
const maxEnvironments = 2;

export type LambdaFunction = ReturnType<typeof lambdaFunction>;

/** Why a function did not start. */
export interface StartFailure {
  /** Such as `functions/get-pet.ts`. */
  readonly handler: string;
  readonly error: InvocationError;
}

/** Returns a Lambda function, whose execution environments start on demand: one per concurrent request. */
export function lambdaFunction(spec: FunctionSpec, settings: FunctionSettings) {
  const { project, isDebugged = false, hasReadableLog = false } = settings;
  const limits = { ...usualLimits, ...settings.limits };
  const sourceFile = handlerSource(spec, project);
  /** What a developer knows the function by. */
  const source = sourceFile ?? spec.name;
  const log = functionLog(source, settings);
  const inTurn = pLimit(isDebugged ? 1 : maxEnvironments);
  const running = new Set<Environment>();
  const idle = new Map<Environment, NodeJS.Timeout>();
  let hasRun = false;
  let isRetired = false;
  let isClosed = false;

  function newEnvironment(): Environment {
    const environment = startEnvironment(spec, {
      module: isDebugged && sourceFile !== undefined ? join(project.root, sourceFile) : handlerFile(spec),
      isDebugged,
      hasReadableLog,
      initTimeoutMs: limits.init,
      placeTimeoutMs: limits.place,
      log,
      onPrint: (line) => process.stderr.write(`${isDebugged ? `${source}: ` : ''}${line}\n`),
    });
    hasRun = true;
    running.add(environment);
    environment.closed.then(() => {
      running.delete(environment);
      idle.delete(environment);
    });
    return environment;
  }

  function rest(environment: Environment): void {
    const endOne = () => {
      if (idle.size === 1) return;
      idle.delete(environment);
      void environment.close();
    };
    idle.set(environment, setTimeout(endOne, limits.idle).unref());
  }

  /** Returns the environment that has rested for the shortest time. */
  function takeIdle(): Environment | undefined {
    const [environment, timer] = [...idle].filter(([each]) => !each.hasEnded()).at(-1) ?? [];
    clearTimeout(timer);
    if (environment) idle.delete(environment);
    return environment;
  }

  return {
    spec,
    source,

    /** Returns whether it was ever started, even if its last environment has ended itself. */
    hasRun: () => hasRun,

    /**
     * Starts an execution environment, and waits until it is ready.
     *
     * @returns why it failed, if it did: the failure is not logged
     */
    async start(): Promise<StartFailure | undefined> {
      const environment = newEnvironment();
      const error = await environment.started;
      if (error) return { handler: source, error };
      rest(environment);
      return undefined;
    },

    invoke: (event: unknown): Promise<InvocationOutcome> =>
      inTurn(async () => {
        if (isClosed) return { error: closedError };
        const environment = takeIdle() ?? newEnvironment();
        const outcome = await environment.invoke(event);
        if (isRetired) await environment.close();
        else if (!environment.hasEnded()) rest(environment);
        return outcome;
      }),

    /** Ends each environment once it has responded. */
    async retire(): Promise<void> {
      isRetired = true;
      await Promise.all([...idle.keys()].map((environment) => environment.close()));
    },

    /** Ends all environments. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([...running].map((environment) => environment.close()));
    },
  };
}

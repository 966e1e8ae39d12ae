import pLimit from 'p-limit';
import type { FunctionSpec } from '../template/deployment.ts';
import { type FunctionSettings, type InvocationOutcome, startEnvironment } from './execution-environment.ts';

/** How many requests a function serves at the same time: each needs a thread with its own heap. */
const maxEnvironments = 2;

export type LocalFunction = ReturnType<typeof localFunction>;

/**
 * Returns a Lambda function, with one execution environment per concurrent request. The first one starts with
 * the first request, or at once if the function `isInUse`.
 */
export function localFunction(spec: FunctionSpec, settings: FunctionSettings = {}, isInUse = false) {
  const inTurn = pLimit(settings.isDebugged ? 1 : maxEnvironments);
  const start = () => startEnvironment(spec, settings);
  // A debugger sets its breakpoints before the first request.
  const idle = settings.isDebugged || isInUse ? [start()] : [];
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

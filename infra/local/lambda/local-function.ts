import pLimit from 'p-limit';
import type { FunctionSpec } from '../template/deployment.ts';
import {
  ExecutionEnvironment,
  type FunctionSettings,
  type InvocationOutcome,
} from './execution-environment.ts';

/** How many requests a function serves at the same time: each needs a thread with its own heap. */
const maxEnvironments = 2;

/** A Lambda function, with one execution environment per concurrent request. */
export class LocalFunction {
  readonly spec: FunctionSpec;
  readonly #settings: FunctionSettings;
  readonly #inTurn;
  readonly #idle: ExecutionEnvironment[] = [];
  #isClosed = false;

  constructor(spec: FunctionSpec, settings: FunctionSettings = {}) {
    this.spec = spec;
    this.#settings = settings;
    this.#inTurn = pLimit(settings.isDebugged ? 1 : maxEnvironments);
    // A debugger sets its breakpoints before the first request.
    if (settings.isDebugged) this.#idle.push(this.#start());
  }

  invoke(event: unknown): Promise<InvocationOutcome> {
    return this.#inTurn(async () => {
      const idle = this.#idle.pop();
      const environment = idle && !idle.hasEnded ? idle : this.#start();
      const outcome = await environment.invoke(event);
      if (this.#isClosed) await environment.close();
      else if (!environment.hasEnded) this.#idle.push(environment);
      return outcome;
    });
  }

  /** Stops each environment once it has responded. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((environment) => environment.close()));
  }

  #start(): ExecutionEnvironment {
    return new ExecutionEnvironment(this.spec, this.#settings);
  }
}

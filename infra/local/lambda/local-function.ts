import { isDeepStrictEqual } from 'node:util';
import type { FunctionSpec } from '../template/deployment.ts';
import {
  ExecutionEnvironment,
  type FunctionSettings,
  type InvocationOutcome,
} from './execution-environment.ts';

/** How many requests a function serves at the same time: each takes a thread and a heap of its own. */
const maxEnvironments = 2;

/** One Lambda function, with an execution environment for each of the requests that it serves at the same time. */
export class LocalFunction {
  readonly #spec: FunctionSpec;
  readonly #settings: FunctionSettings;
  readonly #idle: ExecutionEnvironment[] = [];
  readonly #all = new Set<ExecutionEnvironment>();
  /** Requests for which all environments are busy. */
  readonly #waiting: ((environment: ExecutionEnvironment) => void)[] = [];
  #isRetired = false;

  constructor(spec: FunctionSpec, settings: FunctionSettings = {}) {
    this.#spec = spec;
    this.#settings = settings;
    // A debugger sets its breakpoints before the first request.
    if (settings.isDebugged) this.#idle.push(this.#start());
  }

  async invoke(event: unknown): Promise<InvocationOutcome> {
    const environment = await this.#take();
    const outcome = await environment.invoke(event);
    this.#give(environment);
    return outcome;
  }

  /** Whether it is the function of a declaration. */
  isFor(spec: FunctionSpec): boolean {
    return isDeepStrictEqual(spec, this.#spec);
  }

  /** Stops every environment once it has responded. */
  async retire(): Promise<void> {
    this.#isRetired = true;
    await Promise.all(this.#idle.splice(0).map((environment) => environment.close()));
  }

  /** Stops every environment. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((environment) => environment.close()));
  }

  #start(): ExecutionEnvironment {
    const environment = new ExecutionEnvironment(this.#spec, this.#settings);
    this.#all.add(environment);
    return environment;
  }

  async #take(): Promise<ExecutionEnvironment> {
    const environment = this.#idle.pop();
    if (environment && !environment.hasEnded) return environment;
    if (environment) this.#all.delete(environment);
    if (this.#all.size < (this.#settings.isDebugged ? 1 : maxEnvironments)) return this.#start();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(environment: ExecutionEnvironment): void {
    if (environment.hasEnded) this.#all.delete(environment);
    const next = this.#waiting.shift();
    if (next) next(environment.hasEnded ? this.#start() : environment);
    else if (this.#isRetired) void environment.close();
    else if (!environment.hasEnded) this.#idle.push(environment);
  }
}

import { Piscina } from 'piscina';
import { timeLimits } from '../../../shared/lambda/time-limits.ts';

/** What of a function's declaration it takes to run it. */
export interface FunctionSpec {
  readonly name: string;
  readonly codeDirectory: string;
  /** `file.export`, as Lambda has it. */
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** What an invocation came to: what the function returned, or the error that it failed with. */
export type InvocationOutcome =
  | { readonly payload: unknown }
  | { readonly error: { readonly errorType: string; readonly errorMessage: string } };

const workerFile = new URL('./lambda-worker.ts', import.meta.url).href;

/** One Lambda function: its bundle in worker threads of its own, each with one request at a time, as in Lambda. */
export class LocalFunction {
  readonly #pool: Piscina<unknown, InvocationOutcome>;

  constructor(spec: FunctionSpec) {
    this.#pool = new Piscina({
      filename: workerFile,
      name: 'invoke',
      workerData: spec,
      env: { ...spec.environment },
      minThreads: 1,
      maxThreads: 4,
      idleTimeout: 60_000,
      atomics: 'disabled',
    });
  }

  /** Invokes the function. A worker that is lost, or blocked past the integration timeout, is an error by its name. */
  async invoke(event: unknown): Promise<InvocationOutcome> {
    // A timer that is not cleared would keep the request in memory until it rings.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeLimits.integration);
    try {
      return await this.#pool.run(event, { signal: timeout.signal });
    } catch (error) {
      const { name: errorType, message: errorMessage } =
        error instanceof Error ? error : new Error(String(error));
      return { error: { errorType, errorMessage } };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Stops the workers. */
  async close(): Promise<void> {
    await this.#pool.destroy();
  }
}

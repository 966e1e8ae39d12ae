import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { timeLimits } from '../../../shared/lambda/time-limits.ts';
import type { FunctionSpec } from '../template/deployment.ts';

/** How a developer wants functions run. */
export interface FunctionSettings {
  /** Without time limits, and each in one worker, for a debugger that stops it. */
  readonly isDebugged?: boolean;
  /** Whether what a function logs is put into lines for a person. */
  readonly hasReadableLog?: boolean;
}

/** What an invocation came to: what the function returned, or the error that it failed with. */
export type InvocationOutcome =
  | { readonly payload: unknown }
  | { readonly error: { readonly errorType: string; readonly errorMessage: string } };

/** What a worker is told of its function. */
export interface WorkerData extends FunctionSpec {
  readonly hasReadableLog: boolean;
}

/** Where Node itself keeps compiled code: a worker that finds some starts in half the time. */
const compileCache = { NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') };

const workerFile = new URL('./lambda-worker.ts', import.meta.url).href;

/** The longest time that a timer takes, 24 days. */
const foreverMs = 2 ** 31 - 1;

/** One Lambda function: its bundle in worker threads of its own, each with one request at a time, as in Lambda. */
export class LocalFunction {
  readonly #pool: Piscina<unknown, InvocationOutcome>;
  readonly #timeoutMs: number;

  constructor(spec: FunctionSpec, { isDebugged = false, hasReadableLog = false }: FunctionSettings = {}) {
    this.#timeoutMs = isDebugged ? foreverMs : timeLimits.integration;
    const workerData: WorkerData = {
      ...spec,
      timeoutMs: isDebugged ? foreverMs : spec.timeoutMs,
      hasReadableLog,
    };
    this.#pool = new Piscina({
      filename: workerFile,
      name: 'invoke',
      workerData,
      env: { ...(!isDebugged && compileCache), ...spec.environment },
      minThreads: 1,
      maxThreads: isDebugged ? 1 : 4,
      idleTimeout: 60_000,
      atomics: 'disabled',
    });
  }

  /** Invokes the function. A worker that is lost, or blocked past the integration timeout, is an error by its name. */
  async invoke(event: unknown): Promise<InvocationOutcome> {
    // A timer that is not cleared would keep the request in memory until it rings.
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#timeoutMs);
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

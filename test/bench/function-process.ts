import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { RuntimeApi } from './runtime-api.ts';
import type { Subject } from './subjects.ts';

/** What the handlers respond with when they do what they are there for. */
const Success = v.union([
  v.object({ statusCode: v.picklist([200, 201]) }),
  v.object({ policyDocument: v.object({ Statement: v.tuple([v.object({ Effect: v.literal('Allow') })]) }) }),
]);

/** The JavaScript that a function has loaded by the end of init. */
export type LoadedCode = v.InferOutput<typeof LoadedCode>;
const LoadedCode = v.object({ files: v.number(), bytes: v.number() });

const bootstrap = fileURLToPath(new URL('./bootstrap.cjs', import.meta.url));
const byteCounter = new URL('./count-loaded-bytes.mjs', import.meta.url).href;
const nodeModules = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** A function in a process of its own, run as Lambda runs it. */
export class FunctionProcess implements AsyncDisposable {
  /** From the start of the process until it asked for its first event, in milliseconds. */
  readonly init: number;
  readonly #child: ChildProcess;
  readonly #runtimeApi: RuntimeApi;
  readonly #ended: Promise<never>;

  private constructor(child: ChildProcess, runtimeApi: RuntimeApi, ended: Promise<never>, init: number) {
    this.#child = child;
    this.#runtimeApi = runtimeApi;
    this.#ended = ended;
    this.init = init;
  }

  /** Starts a function, and ends when it is ready. */
  static async start(
    { codeDirectory, environment }: Subject,
    options: string[] = [],
  ): Promise<FunctionProcess> {
    const runtimeApi = await RuntimeApi.start();
    const begin = performance.now();
    const child = spawn(process.execPath, [...options, bootstrap], {
      // A channel to the process takes time at start: only one that is asked has it.
      stdio: ['ignore', 'ignore', 'inherit', ...(options.length > 0 ? (['ipc'] as const) : [])],
      env: {
        ...environment,
        AWS_LAMBDA_RUNTIME_API: runtimeApi.address,
        AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
        LAMBDA_TASK_ROOT: codeDirectory,
        _HANDLER: 'index.handler',
        // Where Lambda's runtime keeps the AWS SDK for functions that do not bring their own.
        NODE_PATH: nodeModules,
      },
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`The function in ${codeDirectory} ended with ${code}.`);
    });
    await Promise.race([runtimeApi.untilReady(), ended]);
    return new FunctionProcess(child, runtimeApi, ended, performance.now() - begin);
  }

  /** Starts a function and counts what it loads until it is ready. */
  static async countLoadedCode(subject: Subject): Promise<LoadedCode> {
    await using started = await FunctionProcess.start(subject, ['--import', byteCounter]);
    const message = once(started.#child, 'message');
    started.#child.send('count');
    const [loaded] = await message;
    return v.parse(LoadedCode, loaded);
  }

  get processId(): number {
    if (this.#child.pid === undefined) throw new Error('The process could not be started.');
    return this.#child.pid;
  }

  /** The most memory that the process has had resident, in bytes; undefined where the system does not tell. */
  get peakMemory(): number | undefined {
    const file = `/proc/${this.processId}/status`;
    if (!existsSync(file)) return undefined;
    const kibibytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  }

  /**
   * Invokes the function, and gives how long it took in milliseconds.
   *
   * @throws {Error} when the function does not respond as it should, or ends
   */
  async invoke(event: unknown): Promise<number> {
    const { milliseconds, result } = await Promise.race([this.#runtimeApi.invoke(event), this.#ended]);
    if (!v.is(Success, result)) throw new Error(`The function responded with ${JSON.stringify(result)}.`);
    return milliseconds;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended.catch(() => undefined);
    await this.#runtimeApi[Symbol.asyncDispose]();
  }
}

import { once } from 'node:events';
import { vi } from 'vitest';
import { spawnScript } from './spawn-script.ts';

const { NODE_COMPILE_CACHE = '' } = process.env;

/** The parts of a machine that a test can choose. */
export interface Machine {
  /** In place of the environment of the tests. */
  readonly environment?: NodeJS.ProcessEnv | undefined;
  /** Text that is piped into the command. */
  readonly input?: string | undefined;
  /** The directory of the project that has the command: by default this one. */
  readonly project?: string;
  /** The largest file that the command can write, in KiB, as on a disk that is full; not on Windows. */
  readonly fileSizeLimit?: number | undefined;
  /** Arguments of Node.js. */
  readonly execArgv?: readonly string[];
}

/** A command of `bin/` in a separate process, with what it has printed so far. */
export class CommandProcess {
  readonly #process: ReturnType<typeof spawnScript>;
  readonly #closed: Promise<unknown>;
  readonly #printed = { stdout: '', stderr: '' };

  constructor(script: string, args: readonly string[], machine: Machine = {}) {
    const { environment, input, project, fileSizeLimit, execArgv } = machine;
    this.#process = spawnScript(script, args, {
      cwd: project,
      env: { NODE_COMPILE_CACHE, ...(environment ?? process.env) },
      execArgv,
      fileSizeLimit,
    });
    this.#process.stdin.end(input);
    this.#closed = once(this.#process.child, 'close');
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#process[stream].setEncoding('utf8').on('data', (text) => {
        this.#printed[stream] += text;
      });
    }
  }

  /** Waits until what the process has printed matches; `pattern` must not be global. */
  printed(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    const find = () =>
      pattern.exec(this.#printed[stream]) ?? Promise.reject(new Error(JSON.stringify(this.#printed)));
    return vi.waitFor(find, { timeout: 60_000 });
  }

  /** Returns what the process has printed until now. */
  printedUntilNow(stream: 'stdout' | 'stderr'): string {
    return this.#printed[stream];
  }

  /** Stops reading what the process prints, as `head` does. */
  stopReading(stream: 'stdout' | 'stderr'): void {
    this.#process[stream].destroy();
  }

  /** Waits until the process has ended, by itself or by a signal; the exit code is null if it was killed. */
  async exit(signal?: NodeJS.Signals) {
    if (signal) this.#process.child.kill(signal);
    await this.#closed;
    return { exitCode: this.#process.child.exitCode, ...this.#printed };
  }
}

export const runCommand = (...command: ConstructorParameters<typeof CommandProcess>) =>
  new CommandProcess(...command).exit();

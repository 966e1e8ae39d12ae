import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';

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
}

/** A command of `bin/` in a separate process, with what it has printed so far. */
export class CommandProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  readonly #printed = { stdout: '', stderr: '' };

  constructor(script: string, args: readonly string[], machine: Machine = {}) {
    const { environment, input, project, fileSizeLimit } = machine;
    const command = [process.execPath, script, ...args];
    // The shell's unit is 512 bytes.
    const limit = `ulimit -f ${2 * (fileSizeLimit ?? 0)}; exec "$@"`;
    const [program = '', ...rest] = fileSizeLimit ? ['sh', '-c', limit, 'sh', ...command] : command;
    this.#child = spawn(program, rest, {
      cwd: project,
      env: { NODE_COMPILE_CACHE, ...(environment ?? process.env) },
      stdio: 'pipe',
      // A test that fails may leave it behind.
      timeout: 20 * 60_000,
    });
    this.#child.stdin.end(input);
    this.#closed = once(this.#child, 'close');
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#child[stream].setEncoding('utf8').on('data', (text) => {
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
    this.#child[stream].destroy();
  }

  /** Waits until the process has ended, by itself or by a signal; the exit code is null if it was killed. */
  async exit(signal?: NodeJS.Signals) {
    if (signal) this.#child.kill(signal);
    await this.#closed;
    return { exitCode: this.#child.exitCode, ...this.#printed };
  }
}

export const runCommand = (...command: ConstructorParameters<typeof CommandProcess>) =>
  new CommandProcess(...command).exit();

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';

/** What of a machine a test wants to choose. */
export interface Machine {
  /** In place of the environment of the tests. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** What is piped into the command. */
  readonly input?: string | undefined;
  /** The project that has the command, which is this one unless a test has another. */
  readonly project?: string;
}

/** What a command came to; the exit code of one that was killed is null. */
export interface Outcome {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command of `bin/` in a process of its own, with what it has printed so far. */
export class CommandProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  readonly #printed = { stdout: '', stderr: '' };

  constructor(script: string, args: readonly string[], { environment, input, project }: Machine = {}) {
    this.#child = spawn(process.execPath, [script, ...args], {
      cwd: project,
      env: environment,
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

  /** All that it has printed so far. */
  get output(): string {
    return `${this.#printed.stdout}${this.#printed.stderr}`;
  }

  /** Waits until what the process has printed matches; `pattern` must not be global. */
  printed(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    const find = () => pattern.exec(this.#printed[stream]) ?? Promise.reject(new Error(this.output));
    return vi.waitFor(find, { timeout: 60_000 });
  }

  /** Stops reading what the process prints, as `head` does. */
  stopReading(): void {
    this.#child.stdout.destroy();
  }

  /** Waits until the process has ended, of itself or by a signal. */
  async exit(signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<Outcome> {
    if (signal) this.#child.kill(signal);
    await this.#closed;
    return { exitCode: this.#child.exitCode, ...this.#printed };
  }
}

/** Runs a command of `bin/` to its end. */
export const runCommand = (
  script: string,
  args: readonly string[],
  machine: Machine = {},
): Promise<Outcome> => new CommandProcess(script, args, machine).exit();

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const endWithParent = fileURLToPath(new URL('end-with-parent.mjs', import.meta.url));
const { NODE_COMPILE_CACHE } = process.env;

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
  /** A file to which all that the command prints is appended. */
  readonly log?: string | undefined;
}

/** A script in a separate process, which ends with this one, killed or not, with what it has printed so far. */
export class CommandProcess {
  readonly #script: string;
  readonly #process;
  readonly #closed: Promise<unknown>;
  readonly #printed = { stdout: '', stderr: '' };

  constructor(script: string, args: readonly string[], machine: Machine = {}) {
    this.#script = script;
    const { environment = process.env, input, project, fileSizeLimit = 0, execArgv = [] } = machine;
    const command = [process.execPath, ...execArgv, endWithParent, script, ...args];
    // The shell's unit is 512 bytes.
    const limit = `ulimit -f ${2 * fileSizeLimit}; exec "$@"`;
    const [program = '', ...rest] = fileSizeLimit > 0 ? ['sh', '-c', limit, 'sh', ...command] : command;
    const env = { NODE_COMPILE_CACHE, ...environment };
    this.#process = spawn(program, rest, { cwd: project, env, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
    this.#process.stdin?.end(input);
    this.#closed = once(this.#process, 'close');
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#process[stream]?.setEncoding('utf8').on('data', (text) => {
        this.#printed[stream] += text;
        if (machine.log !== undefined) appendFileSync(machine.log, text);
      });
    }
  }

  /** Waits until what the process has printed matches; `pattern` must not be global. */
  async printed(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    let isClosed = false;
    void this.#closed.finally(() => {
      isClosed = true;
    });
    const deadline = performance.now() + 60_000;
    for (;;) {
      const found = pattern.exec(this.#printed[stream]);
      if (found) return found;
      if (isClosed || performance.now() > deadline) throw new Error(this.#unprinted(pattern));
      await pause(20);
    }
  }

  /** Says how the process has ended, if it has, and all that it printed. */
  #unprinted(pattern: RegExp): string {
    const { exitCode, signalCode } = this.#process;
    const end = signalCode ?? exitCode;
    const { stdout, stderr } = this.#printed;
    const state = end === null ? 'runs' : `ended (${end})`;
    return `${this.#script} ${state}, and has not printed ${pattern}: ${stderr || stdout || 'it printed nothing.'}`;
  }

  /** Returns what the process has printed until now. */
  printedUntilNow(stream: 'stdout' | 'stderr'): string {
    return this.#printed[stream];
  }

  /** Stops reading what the process prints, as `head` does. */
  stopReading(stream: 'stdout' | 'stderr'): void {
    this.#process[stream]?.destroy();
  }

  /** Waits until the process has ended, by itself or by a signal; the exit code is null if it was killed. */
  async exit(signal?: NodeJS.Signals) {
    if (signal) this.#process.kill(signal);
    await this.#closed;
    return { exitCode: this.#process.exitCode, ...this.#printed };
  }
}

export const runCommand = (...command: ConstructorParameters<typeof CommandProcess>) =>
  new CommandProcess(...command).exit();

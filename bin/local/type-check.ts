import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { printableLine } from '../../infra/local/text/printable.ts';

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** Long enough for handlers to be replaced first. */
const delayMs = 500;

/** Checks types at low priority: reloads go first. TypeScript 7.0's watch mode misses saves. */
export class TypeCheck {
  readonly #project: string;
  #timer: NodeJS.Timeout | undefined;
  #running: ChildProcess | undefined;

  constructor(project: string) {
    this.#project = project;
    process.once('exit', () => this.#kill());
  }

  /** Schedules a check, replacing one in progress. */
  start(): void {
    this.#kill();
    this.#timer = setTimeout(() => this.#check(), delayMs);
  }

  #check(): void {
    const state = join(this.#project, 'node_modules/.cache/tsc.tsbuildinfo');
    const child = spawn(
      process.execPath,
      [compiler, '--noEmit', '--incremental', '--tsBuildInfoFile', state, '--pretty', 'false'],
      { cwd: this.#project, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    createInterface(child.stdout).on('line', (line) => {
      if (/ error TS\d+: /.test(line)) console.error(printableLine(line));
    });
    this.#running = child;
  }

  /** The compiler would finish its check after a SIGTERM. */
  #kill(): void {
    clearTimeout(this.#timer);
    this.#running?.kill('SIGKILL');
  }
}

import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { apiClient, type Call } from '../e2e/api-client.ts';

/** How a local API ended. */
export interface Exit {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A local API in a process of its own, ready or not, with what it has printed so far. */
export class LocalProcess {
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #closed: Promise<unknown>;
  readonly #printed = { stdout: '', stderr: '' };

  /** Starts the local API of a project, which is this one unless a test has another. */
  constructor(flags: readonly string[], project = '.') {
    this.#child = spawn(process.execPath, ['bin/local.ts', ...flags], {
      cwd: project,
      stdio: ['ignore', 'pipe', 'pipe'],
      // A test that fails may leave it behind.
      timeout: 20 * 60_000,
    });
    this.#closed = once(this.#child, 'close');
    for (const stream of ['stdout', 'stderr'] as const) {
      this.#child[stream].setEncoding('utf8').on('data', (text) => {
        this.#printed[stream] += text;
      });
    }
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Waits until what the process has printed matches; `pattern` must not be global. */
  async printed(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.#printed[stream]);
      if (match) return match;
      const hasMore = await Promise.race([
        once(this.#child[stream], 'data').then(() => true),
        this.#closed.then(() => false),
      ]);
      if (!hasMore) throw new Error(`The local API has ended: ${this.#printed.stderr}`);
    }
  }

  /** Stops to read what the process prints, as `head` does. */
  stopReading(): void {
    this.#child.stdout.destroy();
  }

  /** Waits until the process has ended, of itself or by a signal. */
  async exit(signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<Exit> {
    if (signal) this.#child.kill(signal);
    await this.#closed;
    return { exitCode: this.#child.exitCode, ...this.#printed };
  }
}

/** A local API that is ready to be called. */
export interface RunningApi {
  readonly process: LocalProcess;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly call: Call;
}

/** Starts a local API on a free port and waits until it is ready. */
export async function startLocalApi(...flags: readonly string[]): Promise<RunningApi> {
  const local = new LocalProcess(['--port', '0', '--json', ...flags]);
  const [ready] = await local.printed('stdout', /^.*\n/);
  const api = JSON.parse(ready);
  return { process: local, ...api, call: apiClient(api) };
}

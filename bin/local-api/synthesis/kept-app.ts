import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { endWithThisProcess } from '../lambda/end-with-this-process.ts';
import type { LiveProject } from '../project.ts';
import type { AppDone, AppRun } from './app-protocol.ts';
import type { AppEnd, AppVariables, RunApp } from './synthesize.ts';

const processFile = new URL('./app-process.ts', import.meta.url);

/** Each version stays in memory: the process ends when it needs this many times what it needed for the first. */
const maxGrowth = 1.25;

/** How long the last good version may take to run again. */
const warmUpMs = 60_000;

/**
 * Returns what runs versions of a CDK app in one process, because to load the CDK takes longer than the rest. A
 * version that fails, hangs or needs too much memory ends the process. Another is started at once, and runs the last
 * good version, so that the next one takes no longer than usual.
 */
export function keepApp({ root, app }: Pick<LiveProject, 'root' | 'app'>): (code: string) => RunApp {
  const inTurn = pLimit(1);
  let kept: AppProcess | undefined;
  let firstMemory: number | undefined;
  let lastGood: AppRun | undefined;

  /** Returns how the process ended, if it did. */
  async function runInProcess(run: AppRun, signal: AbortSignal): Promise<AppEnd | undefined> {
    if (!kept || kept.hasEnded()) kept = startProcess(root, app);
    const outcome = await kept.run(run, signal);
    if ('exitCode' in outcome) {
      kept = undefined;
      return outcome;
    }
    lastGood = run;
    firstMemory ??= outcome.memory;
    if (outcome.memory > maxGrowth * firstMemory) {
      kept.end();
      kept = undefined;
    }
    return undefined;
  }

  async function warmUp(): Promise<void> {
    if (kept || !lastGood) return;
    using output = mkdtempDisposableSync(join(tmpdir(), 'synthesis-'));
    const variables = { ...lastGood.variables, CDK_OUTDIR: output.path };
    // It has succeeded before. If it fails now, the next version says why.
    await runInProcess({ ...lastGood, variables }, AbortSignal.timeout(warmUpMs));
  }

  return (code) => async (variables: AppVariables, signal) => {
    const end = await inTurn(() => runInProcess({ code, variables }, signal));
    // A version that is aborted has a successor.
    if (!signal.aborted) void inTurn(warmUp);
    return end ?? { exitCode: 0, printed: '' };
  };
}

type AppProcess = ReturnType<typeof startProcess>;

function startProcess(root: string, app: string) {
  const child = fork(processFile, [pathToFileURL(join(root, app)).href], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    // Ctrl-C is only for this process, which ends the other.
    detached: process.platform !== 'win32',
    // By default, V8 would keep 50 MB for young objects, and let old ones double before it collects garbage.
    execArgv: ['--max-semi-space-size=8', '--heap-growing-percent=20'],
  });
  endWithThisProcess(child);
  let printed = '';
  child.stderr?.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  const closed = once(child, 'close').then(([exitCode]): AppEnd => ({ exitCode, printed }));
  const end = () => child.kill('SIGKILL');

  return {
    end,

    /** It may have been ended from outside. */
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,

    async run(run: AppRun, signal: AbortSignal): Promise<AppDone | AppEnd> {
      if (signal.aborted) end();
      signal.addEventListener('abort', end);
      printed = '';
      // If it has just ended, nobody gets it.
      child.send(run, () => undefined);
      const done = once(child, 'message').then(([message]): AppDone => message);
      const outcome = await Promise.race([done, closed]);
      signal.removeEventListener('abort', end);
      return outcome;
    },
  };
}

import { type ChildProcess, spawn } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { printableLine } from '../../infra/local/text/printable.ts';

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** Long enough for handlers to be replaced first. */
const delayMs = 1000;

/**
 * Returns a function that schedules a type check, replacing one in progress. Checks run at low priority:
 * reloads go first. Their state is kept in `directory`, which no other process may use. TypeScript 7.0's
 * watch mode misses saves.
 */
export function typeChecker(project: string, directory: string): () => void {
  const state = join(directory, 'tsc.tsbuildinfo');
  let timer: NodeJS.Timeout | undefined;
  let running: ChildProcess | undefined;
  let hasErrors = false;

  const check = () => {
    const child = spawn(
      process.execPath,
      [compiler, '--noEmit', '--incremental', '--tsBuildInfoFile', state, '--pretty', 'false'],
      { cwd: project, stdio: ['ignore', 'pipe', 'ignore'] },
    );
    if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
    createInterface(child.stdout).on('line', (line) => {
      if (!/ error TS\d+: /.test(line)) return;
      hasErrors = true;
      console.error(printableLine(line));
    });
    child.once('close', (exitCode) => {
      if (exitCode !== 0 || !hasErrors) return;
      hasErrors = false;
      console.error('No type errors.');
    });
    running = child;
  };
  const stop = () => {
    clearTimeout(timer);
    // The compiler would finish its check after a SIGTERM.
    running?.kill('SIGKILL');
  };
  process.once('exit', stop);
  return () => {
    stop();
    timer = setTimeout(check, delayMs);
  };
}

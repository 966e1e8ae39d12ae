import { type ChildProcess, execFile } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { printableLine } from '../../infra/local/text/printable.ts';

const compiler = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');

/** Long enough for handlers to be replaced first. */
const delayMs = 1000;

/**
 * Returns a function that schedules a type check, replacing one in progress. Checks run below normal priority:
 * reloads go first. Their state is kept in `directory`, which no other process may use. TypeScript 7.0's
 * watch mode misses saves.
 */
export function typeChecker(project: string, directory: string): () => void {
  const state = join(directory, 'tsc.tsbuildinfo');
  let timer: NodeJS.Timeout | undefined;
  let running: ChildProcess | undefined;
  let hasErrors = false;

  const check = () => {
    const args = [compiler, '--noEmit', '--incremental', '--tsBuildInfoFile', state, '--pretty', 'false'];
    running = execFile(process.execPath, args, { cwd: project }, (error, stdout) => {
      // Another check replaces this one.
      if (error?.killed) return;
      const errors = stdout.split('\n').filter((line) => / error TS\d+: /.test(line));
      for (const line of errors) console.error(printableLine(line));
      if (hasErrors && errors.length === 0) console.error('No type errors.');
      hasErrors = errors.length > 0;
    });
    if (running.pid !== undefined) setPriority(running.pid, constants.priority.PRIORITY_BELOW_NORMAL);
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { printable } from '../../cli/printable.ts';
import { endWithThisProcess } from '../lambda/end-with-this-process.ts';

/**
 * Returns what checks the types of a project, in a child process that an aborted signal ends, and prints the
 * errors in TypeScript's words if they have changed, or that there are none any more.
 */
export function typeChecker(root: string): (signal: AbortSignal) => Promise<void> {
  const modules = join(root, 'node_modules');
  const buildInfo = join(modules, '.cache/tsc/dev.tsbuildinfo');
  const flags = ['--noEmit', '--incremental', '--tsBuildInfoFile', buildInfo, '--pretty', 'false'];
  let lastPrinted = '';

  return async (signal) => {
    const child = spawn(process.execPath, [join(modules, 'typescript/bin/tsc'), ...flags], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: process.platform !== 'win32',
      signal,
      killSignal: 'SIGKILL',
      // TypeScript is a Go program, and nearly all that it allocates stays in use: to collect garbage as often as
      // by default takes a fifth of its time.
      env: { ...process.env, GOGC: '400' },
    });
    endWithThisProcess(child);

    const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (printed === lastPrinted) return;
    lastPrinted = printed;
    const count = printed.match(/(^|: )error TS\d+/gm)?.length ?? 0;
    const errors = count === 1 ? '1 type error' : `${count} type errors`;
    console.error(printed === '' ? 'No type errors any more.' : `${errors}:\n${printable(printed.trim())}`);
  };
}

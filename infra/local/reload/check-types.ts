import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { projectRoot } from '../../project-root.ts';

/**
 * Checks the types of the project, in a child process that an aborted signal ends.
 *
 * @returns the errors in TypeScript's words, or nothing
 */
export async function checkTypes(signal: AbortSignal): Promise<string> {
  const modules = join(projectRoot, 'node_modules');
  const buildInfo = join(modules, '.cache/tsc/dev.tsbuildinfo');
  const flags = ['--noEmit', '--incremental', '--tsBuildInfoFile', buildInfo, '--pretty', 'false'];
  const child = spawn(process.execPath, [join(modules, 'typescript/bin/tsc'), ...flags], {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: process.platform !== 'win32',
    signal,
    killSignal: 'SIGKILL',
    // TypeScript is a Go program, and nearly all that it allocates stays in use: to collect garbage as often as
    // by default takes a fifth of its time.
    env: { ...process.env, GOGC: '400' },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));

  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  return printed.trim();
}

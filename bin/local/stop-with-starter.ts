import { spawnSync } from 'node:child_process';

/** How often to look. */
const intervalMs = 500;

/**
 * Calls `end` when npm or node-24.mjs has ended, if it started this process: whoever ends that expects the process to
 * end too, and npm passes a signal only to its shell.
 */
export function stopWithStarter(end: () => void): void {
  const { ppid, env } = process;
  const isWrapped = env['NODE_24_WRAPPER'] === `${ppid}`;
  if (!isWrapped && env['npm_lifecycle_event'] === undefined) return;
  const starters = startersFrom(ppid, isWrapped);
  const look = () => {
    // What has lost its parent gets another.
    if (process.ppid !== ppid || !starters.every(isRunning)) end();
  };
  setInterval(look, intervalMs).unref();
}

/** Returns a process, and those above it up to npm, as far as `ps` tells them. */
function startersFrom(pid: number, isWrapper: boolean): readonly number[] {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', `${pid}`], { encoding: 'utf8' });
  const [, parent, command = ''] = /^\s*(\d+)\s+(.*)/.exec(stdout ?? '') ?? [];
  if (/^\S*sh -c /.test(command)) return [pid, Number(parent)];
  return isWrapper && parent !== undefined ? [pid, ...startersFrom(Number(parent), false)] : [pid];
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

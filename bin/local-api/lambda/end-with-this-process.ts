import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** Reads which processes run, until this process ends. */
const script = 'while read -r line; do running=$line; done; kill -9 $running';

const running = new Set<number>();
let guard: Socket | undefined;

/**
 * Ends a child process when this one ends, however that happens: a process in an endless loop does not notice.
 * On Windows, the system does it.
 */
export function endWithThisProcess(child: ChildProcess): void {
  const { pid } = child;
  if (process.platform === 'win32' || pid === undefined) return;
  running.add(pid);
  tellGuard();
  child.once('exit', () => {
    running.delete(pid);
    tellGuard();
  });
}

function tellGuard(): void {
  guard ??= startGuard();
  guard?.write(`${[...running].join(' ')}\n`);
}

function startGuard(): Socket | undefined {
  // Detached, because a terminal sends its signals to all others.
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  shell.unref();
  return shell.stdin instanceof Socket ? shell.stdin.unref() : undefined;
}

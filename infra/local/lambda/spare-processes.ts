import { type ChildProcess, fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';

/** It is beside this file: as a source, or as a bundle. */
const processFile = new URL(`./environment-process${extname(import.meta.url)}`, import.meta.url);

/** Processes that are started, but have no function yet. */
const spares = new Set<ChildProcess>();

/** Has processes started for functions that are being built, and ends those that none of them has taken. */
export function keepSpares(functionCount: number): void {
  // More at a time would start no sooner.
  const count = Math.min(functionCount, availableParallelism());
  while (spares.size < count) {
    const spare = startProcess();
    spares.add(spare);
    for (const event of ['error', 'exit']) spare.once(event, () => spares.delete(spare));
  }
  for (const spare of [...spares].slice(count)) {
    spares.delete(spare);
    spare.kill('SIGKILL');
  }
}

/** Returns a process that can run a function. */
export function takeProcess(): ChildProcess {
  const [spare = startProcess()] = spares;
  spares.delete(spare);
  return spare;
}

const startProcess = () =>
  fork(processFile, {
    // The debugger's port is that of this process.
    execArgv: process.execArgv.filter((argument) => !argument.startsWith('--inspect')),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });

import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { isRunning } from './is-running.ts';

const started: ChildProcess[] = [];
subscribe('child_process', (message) => started.push((message as { process: ChildProcess }).process));

/** Watches the processes of functions that this process starts from now on. */
export function watchProcesses() {
  const before = started.length;
  const ofNode = () => started.slice(before).filter(({ spawnfile }) => spawnfile === process.execPath);
  // One that could not start has none. As 0, it would stand for the whole group of this process.
  const ids = () => ofNode().flatMap(({ pid }) => pid ?? []);
  return { ofNode, ids, running: () => ids().filter(isRunning) };
}

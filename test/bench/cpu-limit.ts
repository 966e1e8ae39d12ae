import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The memory, in MB, at which Lambda gives a function a whole CPU; with less, its share is proportional.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
 */
const memoryOfOneCpu = 1769;

/** The period over which the kernel enforces a share, in microseconds. */
const period = 20_000;

const controlGroups = '/sys/fs/cgroup';

/** Returns the CPUs that a function has after init, given its memory in MB, to two digits. */
export function cpusOf(memorySize: number): number {
  return Math.round((memorySize / memoryOfOneCpu) * 100) / 100;
}

export type CpuLimit = ReturnType<typeof limitCpu>;

/**
 * Creates a kernel control group, version 2 or 1. Dispose of it once the limited processes have exited.
 *
 * @throws {Error} if the kernel has none, or this user may not create one
 */
export function limitCpu(memorySize: number) {
  const quota = Math.round(cpusOf(memorySize) * period);
  const isUnified = existsSync(join(controlGroups, 'cgroup.controllers'));
  const directory = join(controlGroups, isUnified ? '' : 'cpu', `pet-store-bench-${process.pid}`);
  const write = (file: string, value: string) => writeFileSync(join(directory, file), value);

  if (isUnified) writeFileSync(join(controlGroups, 'cgroup.subtree_control'), '+cpu');
  mkdirSync(directory);
  if (isUnified) {
    write('cpu.max', `${quota} ${period}`);
  } else {
    write('cpu.cfs_period_us', `${period}`);
    write('cpu.cfs_quota_us', `${quota}`);
  }
  return {
    /** Limits a process with all of its threads. */
    apply: (processId: number) => write('cgroup.procs', `${processId}`),
    [Symbol.dispose]: () => rmdirSync(directory),
  };
}

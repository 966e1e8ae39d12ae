import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The memory, in MB, at which Lambda gives a function one whole CPU; with less it gets that much less. */
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
const memoryOfOneCpu = 1769;

/** The period in which a function gets its share of a CPU, in microseconds. */
const period = 20_000;

const controlGroups = '/sys/fs/cgroup';

/** The CPUs that a function of so much memory, in MB, has after init, in hundredths. */
export function cpusOf(memorySize: number): number {
  return Math.round((memorySize / memoryOfOneCpu) * 100) / 100;
}

/** The CPU of a memory size; disposed of once the processes that are limited to it have ended. */
export interface CpuLimit extends Disposable {
  /** Limits a process, with all of its threads, from now on. */
  apply(processId: number): void;
}

/**
 * Makes a control group of the kernel, of its second version or its first.
 *
 * @throws {Error} where the kernel has none, or not for this user
 */
export function limitCpu(memorySize: number): CpuLimit {
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
    apply: (processId) => write('cgroup.procs', `${processId}`),
    [Symbol.dispose]: () => rmdirSync(directory),
  };
}

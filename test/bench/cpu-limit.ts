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

/** A share of a CPU, and the processes that are limited to it. */
export class CpuLimit implements Disposable {
  readonly #directory: string;

  /**
   * Makes a control group of the kernel.
   *
   * @throws {Error} where the kernel has none, or not for this user
   */
  constructor(cpus: number) {
    const quota = Math.round(cpus * period);
    const name = `pet-store-bench-${process.pid}`;
    if (existsSync(join(controlGroups, 'cgroup.controllers'))) {
      writeFileSync(join(controlGroups, 'cgroup.subtree_control'), '+cpu');
      this.#directory = join(controlGroups, name);
      mkdirSync(this.#directory);
      this.#write('cpu.max', `${quota} ${period}`);
    } else {
      this.#directory = join(controlGroups, 'cpu', name);
      mkdirSync(this.#directory);
      this.#write('cpu.cfs_period_us', `${period}`);
      this.#write('cpu.cfs_quota_us', `${quota}`);
    }
  }

  /** Limits a process, with all of its threads, from now on. */
  apply(processId: number): void {
    this.#write('cgroup.procs', `${processId}`);
  }

  /** Removes the control group, its processes having ended. */
  [Symbol.dispose](): void {
    rmdirSync(this.#directory);
  }

  #write(file: string, value: string): void {
    writeFileSync(join(this.#directory, file), value);
  }
}

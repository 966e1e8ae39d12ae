import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { type CpuLimit, limitCpu } from './cpu-limit.ts';

/** How long a process is busy, in milliseconds, before it prints what of that it has had of a CPU. */
const busyFor = 400;
const busyProcess = `process.stdin.once('data', () => {
  const before = process.cpuUsage();
  const end = performance.now() + ${busyFor};
  while (performance.now() < end);
  const { user, system } = process.cpuUsage(before);
  console.log((user + system) / 1000);
  process.exit();
})`;

describe('limitCpu', () => {
  it('leaves a process the share of a CPU that Lambda gives for its memory, and no more', async ({
    skip,
  }) => {
    using limit = tryToLimit(256) ?? skip('This system lets no CPU be limited.');
    const busy = promisify(execFile)(process.execPath, ['--eval', busyProcess]);
    limit.apply(busy.child.pid ?? 0);

    busy.child.stdin?.write('go');
    const { stdout } = await busy;

    const cpus = Number(stdout) / busyFor;
    expect(cpus).toBeGreaterThan(0.05);
    expect(cpus).toBeLessThan(0.25);
  });
});

function tryToLimit(memorySize: number): CpuLimit | undefined {
  try {
    return limitCpu(memorySize);
  } catch {
    return undefined;
  }
}

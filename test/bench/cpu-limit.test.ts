import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type CpuLimit, limitCpu } from './cpu-limit.ts';

it('limits a process to the share of a CPU that Lambda gives for its memory', async ({ skip }) => {
  using limit = tryToLimit(256) ?? skip('This system does not allow limiting the CPU.');
  const busy = spawn(process.execPath, ['--eval', 'for (;;);']);
  // In hundredths of a second.
  const cpuTime = () => Number(readFileSync(`/proc/${busy.pid}/stat`, 'utf8').split(' ')[13]);
  limit.apply(busy.pid ?? 0);
  const before = cpuTime();
  const startedAt = performance.now();

  await setTimeout(500);
  const cpus = ((cpuTime() - before) * 10) / (performance.now() - startedAt);
  busy.kill('SIGKILL');
  await once(busy, 'exit');

  expect(cpus).toBeGreaterThan(0.05);
  expect(cpus).toBeLessThan(0.25);
});

function tryToLimit(memorySize: number): CpuLimit | undefined {
  try {
    return limitCpu(memorySize);
  } catch {
    return undefined;
  }
}

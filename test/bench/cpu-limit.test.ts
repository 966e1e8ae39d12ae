import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { CpuLimit, cpusOf } from './cpu-limit.ts';

/** How long a process is busy, in milliseconds, and what of that it has had of a CPU. */
const busyFor = 400;
const busyProcess = `process.stdin.once('data', () => {
  const { user, system } = process.cpuUsage();
  const end = performance.now() + ${busyFor};
  while (performance.now() < end);
  const used = process.cpuUsage({ user, system });
  process.stdout.write(String((used.user + used.system) / 1000));
  process.exit();
})`;

describe('cpusOf', () => {
  it.each([
    [256, 0.14],
    [512, 0.29],
    [1024, 0.58],
    [1769, 1],
  ])('gives a function of %d MB %d of a CPU', (memorySize, cpus) => {
    expect(cpusOf(memorySize)).toBe(cpus);
  });
});

describe('CpuLimit', () => {
  it('leaves a process its share of a CPU and no more', async ({ skip }) => {
    using limit = tryToLimit(0.14) ?? skip('This system lets no CPU be limited.');
    const child = spawn(process.execPath, ['--eval', busyProcess], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(child, 'spawn');
    limit.apply(child.pid ?? 0);

    child.stdin.write('go');
    const [used] = await once(child.stdout, 'data');
    await once(child, 'exit');

    const cpus = Number(used) / busyFor;
    expect(cpus).toBeGreaterThan(0.05);
    expect(cpus).toBeLessThan(0.25);
  });
});

function tryToLimit(cpus: number): CpuLimit | undefined {
  try {
    return new CpuLimit(cpus);
  } catch {
    return undefined;
  }
}

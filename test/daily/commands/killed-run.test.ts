import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CommandProcess } from '../../support/local/command-process.ts';
import { isRunning } from '../../support/local/is-running.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

const test = `import { writeFileSync } from 'node:fs';
import { it } from 'vitest';

it('waits', () => {
  writeFileSync('worker', \`\${process.pid}\`);
  return new Promise(() => {});
});`;

it('a worker ends when the run of its tests is killed', async () => {
  const names = ['bin', 'shared', 'test/support/setup', 'package.json', 'vitest.config.ts'];
  const project = new ProjectCopy(names);
  onTestFinished(() => project.remove());
  mkdirSync(project.path('test/bin'));
  writeFileSync(project.path('test/bin/waits.test.ts'), test);
  const run = new CommandProcess('node_modules/vitest/vitest.mjs', ['run', 'test/bin'], {
    project: project.directory,
    // Not that of a worker.
    environment: { PATH: process.env['PATH'] },
  });
  const worker = await vi.waitFor(() => Number(readFileSync(project.path('worker'))), { timeout: 60_000 });
  expect(isRunning(worker)).toBe(true);

  await run.exit('SIGKILL');

  await vi.waitFor(() => expect(isRunning(worker)).toBe(false), { timeout: 10_000 });
});

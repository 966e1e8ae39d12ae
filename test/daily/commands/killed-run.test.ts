import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished, vi } from 'vitest';
import { CommandProcess } from '../../support/local/command-process.ts';
import { isRunning } from '../../support/local/is-running.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

const test = `import { writeFileSync } from 'node:fs';
import { it } from 'vitest';
import { spawnScript } from '../support/local/spawn-script.ts';

it('waits', () => {
  const { child } = spawnScript('waits.mjs', []);
  writeFileSync('processes', \`\${process.pid} \${child.pid}\`);
  return new Promise(() => {});
});`;

it('a worker ends with what it started when the run of its tests is killed', async () => {
  const support = ['setup', 'local/spawn-script.ts', 'local/end-with-parent.mjs'];
  const ofTests = support.map((name) => `test/support/${name}`);
  const names = ['bin', 'shared', ...ofTests, 'package.json', 'vitest.config.ts'];
  const project = new ProjectCopy(names);
  onTestFinished(() => project.remove());
  mkdirSync(project.path('test/bin'));
  writeFileSync(project.path('test/bin/waits.test.ts'), test);
  writeFileSync(project.path('waits.mjs'), 'setInterval(() => {}, 60_000);');
  const run = new CommandProcess('node_modules/vitest/vitest.mjs', ['run', 'test/bin'], {
    project: project.directory,
    // Not that of a worker.
    environment: { PATH: process.env['PATH'] },
  });
  const written = await vi.waitFor(() => readFileSync(project.path('processes'), 'utf8'), {
    timeout: 60_000,
  });
  const processes = written.split(' ').map(Number);
  expect(processes.map(isRunning)).toEqual([true, true]);

  await run.exit('SIGKILL');

  const haveEnded = () => expect(processes.map(isRunning)).toEqual([false, false]);
  await vi.waitFor(haveEnded, { timeout: 10_000 });
});

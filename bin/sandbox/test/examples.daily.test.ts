import { afterAll, expect, it } from 'vitest';
import { examplesOf } from '../../cli/test/support/examples.ts';
import { npm } from '../../cli/test/support/npm.ts';
import { filesOfRepository, ProjectCopy } from '../../cli/test/support/project-copy.ts';

const project = new ProjectCopy(filesOfRepository());
afterAll(() => project.remove());

it('npm run sandbox takes the examples of its usage text', async () => {
  const examples = await examplesOf('bin/sandbox/sandbox.ts');

  expect(examples).not.toEqual([]);
  await npm(['run', 'sandbox', '--', ...examples.flat()], { cwd: project.directory });
});

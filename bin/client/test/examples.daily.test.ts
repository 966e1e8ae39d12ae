import { afterAll, expect, it } from 'vitest';
import { examplesOf } from '../../cli/test/support/examples.ts';
import { npm } from '../../cli/test/support/npm.ts';
import { filesOfRepository, ProjectCopy } from '../../cli/test/support/project-copy.ts';

const project = new ProjectCopy(filesOfRepository());
afterAll(() => project.remove());

it('npm run client takes the examples of its usage text', async () => {
  const examples = await examplesOf('bin/client/client.ts');

  expect(examples).not.toEqual([]);
  await npm(['run', 'client', '--', ...examples.flat()], { cwd: project.directory });
});

import { afterAll, expect, it } from 'vitest';
import { runCommand } from '../../cli/test/support/command-process.ts';
import { examplesOf } from '../../cli/test/support/examples.ts';
import { git, startRepository } from '../../cli/test/support/git.ts';
import { filesOfRepository, ProjectCopy } from '../../cli/test/support/project-copy.ts';

const files = filesOfRepository();
const project = new ProjectCopy(files);
afterAll(() => project.remove());

it('npm run behavior takes the examples of its usage text', async () => {
  startRepository(project.directory, files);
  git(project.directory, 'commit', '--quiet', '--allow-empty', '--message', 'Go on');
  const examples = await examplesOf('bin/behavior/behavior.ts');

  for (const [, commit] of examples) {
    const compared = await runCommand('bin/behavior/behavior.ts', [commit, '--requests', '1'], {
      project: project.directory,
    });
    expect(compared).toMatchObject({ exitCode: 0, stderr: '' });
  }
  expect(examples).not.toEqual([]);
});

import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { git, startRepository } from '../../../cli/test/support/git.ts';
import { checkOut } from '../../services/checkout.ts';

it('writes the files of a commit, and leaves the repository as it is', async () => {
  const project = temporaryDirectory();
  const write = (text: string) => writeFileSync(join(project, 'shared.ts'), text);
  mkdirSync(join(project, 'node_modules'));
  writeFileSync(join(project, 'package-lock.json'), '{}');
  write('committed');
  startRepository(project, ['package-lock.json', 'shared.ts']);
  write('staged');
  git(project, 'add', 'shared.ts');
  // Such as one on a disk that is not mounted.
  const other = join(temporaryDirectory(), 'other');
  git(project, 'worktree', 'add', '--quiet', '--detach', other);
  renameSync(other, `${other}-absent`);
  const state = () => [git(project, 'worktree', 'list'), git(project, 'status', '--porcelain')];
  const before = state();

  const { directory } = await checkOut('HEAD', project);
  // Vitest's processes do not exit by themselves, when they would.
  onTestFinished(() => rmSync(dirname(directory), { recursive: true }));

  expect(readFileSync(join(directory, 'shared.ts'), 'utf8')).toBe('committed');
  expect(existsSync(join(directory, 'node_modules'))).toBe(true);
  expect(state()).toEqual(before);
});

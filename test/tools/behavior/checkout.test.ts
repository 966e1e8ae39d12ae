import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { checkOut } from './checkout.ts';

it('writes the files of a commit, and leaves the repository as it is', async () => {
  const project = temporaryDirectory();
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: 'pipe' });
  const author = ['-c', 'user.name=behavior', '-c', 'user.email=behavior@pets.example'];
  const write = (text: string) => writeFileSync(join(project, 'shared.ts'), text);
  git('init', '--quiet');
  mkdirSync(join(project, 'node_modules'));
  writeFileSync(join(project, 'package-lock.json'), '{}');
  write('committed');
  git('add', 'package-lock.json', 'shared.ts');
  git(...author, 'commit', '--quiet', '--no-gpg-sign', '--message', 'Start');
  write('staged');
  git('add', 'shared.ts');
  // Such as one on a disk that is not mounted.
  const other = join(temporaryDirectory(), 'other');
  git('worktree', 'add', '--quiet', '--detach', other);
  renameSync(other, `${other}-absent`);
  const before = [git('worktree', 'list'), git('status', '--porcelain')];

  const { directory } = await checkOut('HEAD', project);

  expect(readFileSync(join(directory, 'shared.ts'), 'utf8')).toBe('committed');
  expect(existsSync(join(directory, 'node_modules'))).toBe(true);
  expect([git('worktree', 'list'), git('status', '--porcelain')]).toEqual(before);
});

import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { commitOf } from '../commit.ts';
import { git, startRepository } from './support/git.ts';

it('commitOf returns the commit only once there is one', () => {
  const cwd = temporaryDirectory(onTestFinished);
  // The temporary directory may be in a repository.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(cwd) };
  const file = join(cwd, 'README.md');
  writeFileSync(file, 'first');

  const withoutRepository = commitOf(cwd, env);
  git(cwd, 'init', '--quiet');
  const withoutCommit = commitOf(cwd, env);
  startRepository(cwd);
  const clean = commitOf(cwd, env);
  writeFileSync(file, 'second');
  const dirty = commitOf(cwd, env);

  expect([withoutRepository, withoutCommit]).toEqual([undefined, undefined]);
  expect(clean).toMatch(/^[0-9a-f]{40}$/);
  expect(dirty).toBe(`${clean}-dirty`);
});

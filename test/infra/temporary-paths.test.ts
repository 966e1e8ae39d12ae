import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const sources = execFileSync('git', [
  'ls-files',
  'bin/*.ts',
  'functions/*.ts',
  'infra/*.ts',
  'shared/*.ts',
  'test/*.ts',
])
  .toString()
  .split('\n')
  .filter((file) => file !== '' && /^import .*tmpdir.* from 'node:os';$/m.test(readFileSync(file, 'utf8')));

/** A fresh directory, which only this user can enter: its mode is 0700. */
const freshDirectory = /mkdtemp(Sync)?\(\s*join\(\s*tmpdir\(\),\s*['`][^'`]+['`],?\s*\),?\s*\)/g;

it.each(sources)('%s uses the shared temporary directory only for fresh directories', (file) => {
  const otherUses = readFileSync(file, 'utf8').replaceAll(freshDirectory, '');

  expect(otherUses).not.toContain('tmpdir()');
});

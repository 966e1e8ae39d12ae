import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A fresh directory, which only this user can enter: its mode is 0700. */
const freshDirectory = /mkdtemp\w*\(\s*join\(\s*tmpdir\(\),\s*['`][^'`]+['`],?\s*\),?\s*\)/g;

it('uses the shared temporary directory only for fresh directories', () => {
  const files = globSync('{bin,functions,infra,shared,test/!(generators|mutation|runtimes)}/**/*.ts');
  const otherUses = files.filter((file) =>
    readFileSync(file, 'utf8').replaceAll(freshDirectory, '').includes(`${'tmpdir'}()`),
  );

  expect(otherUses).toEqual([]);
});

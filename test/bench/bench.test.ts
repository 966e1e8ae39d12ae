import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { benches } from './benches.ts';

it('the documents name all benches, and no others', () => {
  const text = globSync(['*.md', 'docs/*.md'])
    .map((path) => readFileSync(path, 'utf8'))
    .join();
  const named = Array.from(text.matchAll(/npm run bench -- ([\w-]+)/g), ([, name]) => name);

  // `npm run bench` alone is about cold starts.
  expect([...new Set([...named, 'cold-starts'])].toSorted()).toEqual(Object.keys(benches).toSorted());
});

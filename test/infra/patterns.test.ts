import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string) => readFileSync(path, 'utf8');
const matchesIn = (path: string, pattern: RegExp) => read(path).match(pattern) ?? [];

/** The patterns for files of the project, by the file that has them. */
const patterns: Readonly<Record<string, () => readonly string[]>> = {
  'biome.json': () => {
    const { overrides }: { overrides: { includes: string[] }[] } = JSON.parse(read('biome.json'));
    return overrides.flatMap(({ includes }) => includes);
  },
  'vitest.config.ts': () => matchesIn('vitest.config.ts', /(?<=')test\/[^'\n]+/g),
  'test/daily/mutation/vitest.config.ts': () =>
    matchesIn('test/daily/mutation/vitest.config.ts', /(?<=')test\/[^'\n]+/g),
  'test/daily/mutation/stryker.config.json': () =>
    JSON.parse(read('test/daily/mutation/stryker.config.json')).mutate,
  '.github/CODEOWNERS': () => matchesIn('.github/CODEOWNERS', /(?<=^\/)\S+/gm),
};

/** An empty folder, as Git leaves it behind, is no match. */
const isMatched = (pattern: string) =>
  globSync(pattern.replace(/\/$/, '/**'), { withFileTypes: true }).some((entry) => entry.isFile());

it.each(Object.entries(patterns))('each pattern of %s matches a file', (_file, patternsIn) => {
  const wanted = patternsIn().map((pattern) => pattern.replace(/^!+/, ''));

  expect(wanted).not.toEqual([]);
  expect(wanted.filter((pattern) => !isMatched(pattern))).toEqual([]);
});

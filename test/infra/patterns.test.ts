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
  'the configurations of Vitest': () =>
    globSync('{.,test/daily/*}/vitest.config.ts').flatMap((path) => matchesIn(path, /(?<=')test\/[^'\n]+/g)),
  'the configurations of Stryker': () =>
    globSync('test/daily/*/stryker.config.json').flatMap((path) => JSON.parse(read(path)).mutate),
  '.github/CODEOWNERS': () => matchesIn('.github/CODEOWNERS', /(?<=^\/)\S+/gm),
};

/** An empty folder, as Git leaves it behind, is no match. */
const isMatched = (pattern: string) =>
  globSync(pattern.replace(/\/$/, '/**'), { withFileTypes: true }).some((entry) => entry.isFile());

it('the patterns are found', () => {
  expect(patterns['biome.json']?.()).toContain('functions/**');
  expect(patterns['the configurations of Vitest']?.()).toContain('test/{shared,functions}/**/*.test.ts');
  expect(patterns['.github/CODEOWNERS']?.()).toContain('infra/');
});

it.each(Object.entries(patterns))('each pattern of %s matches a file', (_where, patternsIn) => {
  const wanted = patternsIn().map((pattern) => pattern.replace(/^!+/, ''));

  expect(wanted.filter((pattern) => !isMatched(pattern))).toEqual([]);
});

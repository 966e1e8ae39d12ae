import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('its README names the packages that it imports', () => {
  const sources = globSync('bin/local-api/**/*.ts', { exclude: ['**/test/**'] }).map((path) =>
    readFileSync(path, 'utf8'),
  );
  const imported = sources.flatMap(
    (text) => text.match(/(?<=\b(?:from|import\() ?')[a-z@](?!ode:)[\w@-]*/g) ?? [],
  );

  const [, listed = ''] = /it uses (.+)$/s.exec(readFileSync('bin/local-api/README.md', 'utf8')) ?? [];
  expect(listed.match(/(?<=`)[\w@-]+/g)).toEqual([...new Set(imported)].toSorted());
});

import { globSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

function* expressionsIn(node: unknown): Generator<RegExp> {
  if (node instanceof RegExp) yield node;
  else if (typeof node === 'object' && node !== null) {
    for (const value of Object.values(node)) yield* expressionsIn(value);
  }
}

const slow = (expressions: Iterable<RegExp>) =>
  [...expressions].filter((expression) => analyse(expression).reports.length > 0).map(String);

it('every regular expression takes linear time', () => {
  const sources = globSync('{bin,functions,infra,shared}/**/*.{ts,js}').map((file) =>
    readFileSync(file, 'utf8'),
  );

  expect(sources.flatMap((source) => slow(expressionsIn(parseAst(source, { lang: 'ts' }))))).toStrictEqual(
    [],
  );
});

it.each(["/[^ ']*%[^ ']*/g", '/[\\r\\n]+$/', '/(a+)+b/'])('%s would be rejected', (expression) => {
  expect(slow(expressionsIn(parseAst(expression, { lang: 'ts' })))).toStrictEqual([expression]);
});

import { globSync, readFileSync } from 'node:fs';
import { analyse } from 'scslre';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

const RegExpLiteral = v.looseObject({
  type: v.literal('Literal'),
  regex: v.object({ pattern: v.string(), flags: v.string() }),
});

/** Returns the regular expressions in a part of a syntax tree. */
function expressionsIn(node: unknown): RegExp[] {
  if (typeof node !== 'object' || node === null) return [];
  if (!v.is(RegExpLiteral, node)) return Object.values(node).flatMap(expressionsIn);
  return [new RegExp(node.regex.pattern, node.regex.flags)];
}

const files = globSync('{bin,functions,infra,shared}/**/*.ts', { exclude: ['**/test/**'] });
const expressions = files.flatMap((file) =>
  expressionsIn(parseAst(readFileSync(file, 'utf8'), { lang: 'ts' })).map((expression) => ({
    file,
    expression,
  })),
);

// What reads outside text is measured as well, in the tests of each part: expectLittleTime.
it('no expression takes more than linear time for a character that repeats', () => {
  const slow = expressions.flatMap(({ file, expression }) =>
    analyse(expression).reports.map(({ type }) => `${file}: ${expression} (${type})`),
  );

  expect(slow).toEqual([]);
  expect(expressions.length).toBeGreaterThan(50);
});

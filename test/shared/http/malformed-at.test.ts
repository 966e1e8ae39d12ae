import fc from 'fast-check';
import { expect, it } from 'vitest';
import { malformedAt } from '../../../shared/http/malformed-at.ts';

const tokens = fc.constantFrom(
  ...'[]{}:,"\\ue1-.0+tn \u0000\u2028\ufeff',
  'true',
  'null',
  '1e5',
  '"a":',
  '"\\n"',
);
const nearlyJson = fc
  .tuple(fc.json({ maxDepth: 9 }), fc.nat(), fc.constantFrom('', '"', ',', '0', '}', '\n'))
  .map(([json, at, insertion]) => {
    const index = at % json.length;
    return `${json.slice(0, index)}${insertion}${json.slice(index + 1)}`;
  });

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it.each([
  ['tokens', fc.array(tokens, { minLength: 1, maxLength: 8 }).map((all) => all.join(''))],
  ['JSON', fc.json({ maxDepth: 9 })],
  ['JSON with a changed character', nearlyJson],
])('agrees with JSON.parse about what is malformed: %s', (_title, texts) => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(malformedAt(text) === undefined).toBe(isJson(text));
    }),
    { numRuns: 2000 },
  );
});

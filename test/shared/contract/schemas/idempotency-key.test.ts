import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parse } from '../../../../shared/contract/errors/parse.ts';
import { IdempotencyKey } from '../../../../shared/contract/schemas/idempotency-key.ts';

const parseKey = (values: readonly string[]) => parse(IdempotencyKey, values, 'invalid_header');

it('IdempotencyKey accepts any visible ASCII text, quoted or bare', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]{1,255}$/), (key) => {
      const quoted = `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

      expect(parseKey([quoted])).toBe(key);
      if (!key.startsWith('"')) expect(parseKey([key])).toBe(key);
    }),
    { examples: [['k'.repeat(255)], [String.raw`\"`], [String.raw`a\\b`], ['a"b"']] },
  );
});

it.each([
  ['empty', ['']],
  ['empty in quotes', ['""']],
  ['longer than 255 characters', ['k'.repeat(256)]],
  ['longer than 255 characters in quotes', [`"${'k'.repeat(256)}"`]],
  ['with a space', ['a b']],
  ['with a space in quotes', ['"a b"']],
  ['with a letter outside ASCII', ['clé']],
  ['a lone quote', ['"']],
  ['quoted text followed by more', ['"a"b']],
  ['quoted text with an unknown escape', [String.raw`"a\b"`]],
  ['quoted text that ends in an escape', [String.raw`"a\"`]],
  ['given twice', ['a', 'a']],
])('IdempotencyKey is rejected: %s', (_title, values) => {
  expect(() => parseKey(values)).toThrow(
    expect.objectContaining({
      code: 'invalid_header',
      message: 'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.',
    }),
  );
});

import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { idempotencyKey } from '../../../shared/contract/idempotency-key.ts';
import { parse } from '../../../shared/contract/parse.ts';

const Headers = v.object({ key: idempotencyKey['Idempotency-Key'].schema });
const parseKey = (key: string) => parse(Headers, { key }, 'invalid_header').key;

it('an Idempotency-Key is any visible ASCII text, quoted or bare', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[!-~]{1,126}$/), (key) => {
      const quoted = `"${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`;

      expect(parseKey(quoted)).toBe(key);
      if (!key.startsWith('"')) expect(parseKey(key)).toBe(key);
    }),
    { examples: [['k'.repeat(253)], [String.raw`\"`], [String.raw`a\\b`], ['a"b"']] },
  );
});

it('an Idempotency-Key has up to 255 characters', () => {
  expect(parseKey('k'.repeat(255))).toBe('k'.repeat(255));
});

it.each([
  ['empty', ''],
  ['empty in quotes', '""'],
  ['longer than 255 characters', 'k'.repeat(256)],
  ['longer than 255 characters with its quotes', `"${'k'.repeat(254)}"`],
  ['with a space', 'a b'],
  ['with a space in quotes', '"a b"'],
  ['with a letter outside ASCII', 'clé'],
  ['a lone quote', '"'],
  ['quoted text followed by more', '"a"b'],
  ['quoted text with an unknown escape', String.raw`"a\b"`],
  ['quoted text that ends in an escape', String.raw`"a\"`],
  ['given twice', 'a, a'],
])('an Idempotency-Key is rejected: %s', (_title, key) => {
  expect(() => parseKey(key)).toThrow(
    expect.objectContaining({
      code: 'invalid_header',
      message:
        'key must be given once, as 1 to 255 visible ASCII characters, and if the first is a quote, a string of RFC 9651 that is not empty.',
    }),
  );
});

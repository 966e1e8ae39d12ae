import fc from 'fast-check';
import { expect, it } from 'vitest';
import { generateApiKey } from '../../../shared/keys/api-key.ts';
import { hideApiKeys } from '../hide-api-keys.ts';

const key = generateApiKey('petstore_staging_');

it.each([
  ['part of a key', `Bearer ${key.slice(0, -5)}.`, 'Bearer petstore_staging_….'],
  [
    'several keys',
    `${key} ${generateApiKey('petstore_production_')}`,
    'petstore_staging_… petstore_production_…',
  ],
  ['a key after an encoded character', `'${encodeURIComponent(`\n${key}`)}'`, "'%0Apetstore_staging_…'"],
])('hides %s', (_title, text, hidden) => {
  expect(hideApiKeys(text)).toBe(hidden);
});

/** Percent-encodes a character a number of times. */
const encode = (character: string, times: number) =>
  times === 0 ? character : `%${'25'.repeat(times - 1)}${character.charCodeAt(0).toString(16)}`;

it('hides a key whose characters are percent-encoded up to ten times', () => {
  const times = fc.array(fc.nat(10), { minLength: key.length, maxLength: key.length });

  fc.assert(
    fc.property(times, (counts) => {
      const encoded = counts.map((count, index) => encode(key.charAt(index), count)).join('');

      expect(hideApiKeys(`/v1/${encoded}?x`)).toMatch(/^\/v1\/petstore_(staging_)?…\?x$/);
    }),
  );
});

it('leaves text without a key unchanged', () => {
  expect(hideApiKeys('100 % of http://pets.example/a%20b')).toBe('100 % of http://pets.example/a%20b');
});

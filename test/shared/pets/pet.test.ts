import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { parse } from '../../../shared/contract/parse.ts';
import { exampleNewPet, examplePet } from '../../../shared/pets/operations.ts';
import { NewPet, Pet, petFields } from '../../../shared/pets/pet.ts';
import { codePoint } from '../../support/fuzz/code-point.ts';
import { expectLittleTime } from '../../support/fuzz/hostile-text.ts';

const nameRule = '1 to 255 Unicode code points, not only white space, without lone surrogates';
const nameMessage = `name must be a string of ${nameRule}.`;
const categoryIdMessage = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';
// A status may be added.
const statusMessage = expect.stringMatching(/^status must be one of available, pending, sold(, [\w-]+)*\.$/);
const unicodeSpaces = '\t\n\v\f\r \u00a0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const { id: _id, ...bella } = { ...examplePet, status: 'sold' };
const parsePet = (body: unknown) => parse(NewPet, body, 'invalid_body');
const invalidBody = (message: unknown) => expect.objectContaining({ code: 'invalid_body', message });

it('a hostile name is read in little time', () => {
  const read = (name: string) => v.is(NewPet, { ...exampleNewPet, name });

  expectLittleTime(read, 16 * 1024, ['| ', '|\u{1f600}', '|\ud800']);
});

describe('NewPet', () => {
  it('makes a pet available by default', () => {
    expect(parsePet(exampleNewPet)).toMatchObject({ status: 'available' });
  });

  it('drops unknown fields', () => {
    expect(parsePet({ ...bella, id: 7n, unforeseen: 'small', Name: 'Max' })).toEqual(bella);
  });

  it('keeps any name of 1 to 255 code points exactly', () => {
    const name = fc
      .string({ unit: codePoint, minLength: 1, maxLength: 255 })
      .filter((text) => text.trim() !== '');

    fc.assert(
      fc.property(name, (text) => {
        expect(parsePet({ ...bella, name: text })).toEqual({ ...bella, name: text });
      }),
      { examples: [['a'.repeat(255)], ['🐈'.repeat(255)], [`${unicodeSpaces}a${unicodeSpaces}`]] },
    );
  });

  it.each<[field: string, message: unknown, values: readonly unknown[]]>([
    ['name', nameMessage, ['', 'a'.repeat(256), '🐈'.repeat(256), unicodeSpaces, 1n, null, ['Bella']]],
    ['name', nameMessage, ['a lone surrogate \ud83d', 'surrogates in the wrong order \udc08\ud83d']],
    [
      'categoryId',
      categoryIdMessage,
      [-9223372036854775809n, 9223372036854775808n, 1.5, 1e300, '1', true, null, [1n]],
    ],
    ['status', statusMessage, ['', 'Sold', ' sold', 'gone', 1n, null, ['sold']]],
  ])('rejects an invalid %s', (field, message, values) => {
    for (const value of values) {
      expect(() => parsePet({ ...bella, [field]: value }), `${value}`).toThrow(invalidBody(message));
    }
  });
});

it('the description of a name has its rules', () => {
  expect(petFields.name).toContain(nameRule);
});

it('a stored pet can have a status of a later version', () => {
  const pet = { ...examplePet, status: 'unknown' };

  expect(v.parse(Pet, pet)).toEqual(pet);
});

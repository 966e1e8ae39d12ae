import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from '../../../../shared/contract/errors/parse.ts';
import { NewPet, Pet, PetId } from '../../../../shared/contract/schemas/pet.ts';
import { codePoint } from '../../../support/functions/code-point.ts';

const nameMessage = 'name must be a string of 1 to 255 characters, not only white space.';
const categoryIdMessage = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';
const statusMessage = 'status must be one of available, pending, sold.';
const unicodeSpaces = '\t\n\v\f\r \u00a0\u1680\u2000\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';

const bella = { name: 'Bella', categoryId: 1n, status: 'sold' };
const parsePet = (body: unknown) => parse(NewPet, body, 'invalid_body');
const invalidBody = (message: string) => expect.objectContaining({ code: 'invalid_body', message });

describe('NewPet', () => {
  it('makes a pet without a status available, and drops unknown fields', () => {
    const body = { name: 'Bella', categoryId: 1n, id: 7n, tag: 'small', Name: 'Max' };

    expect(parsePet(body)).toEqual({ ...bella, status: 'available' });
  });

  it('keeps any name of 1 to 255 code points exactly', () => {
    const name = fc
      .string({ unit: codePoint, minLength: 1, maxLength: 255 })
      .filter((text) => text.trim() !== '');

    fc.assert(
      fc.property(name, (text) => {
        expect(parsePet({ ...bella, name: text })).toEqual({ ...bella, name: text });
      }),
    );
  });

  it.each([
    ['the status available', { status: 'available' }],
    ['the status pending', { status: 'pending' }],
    ['the least categoryId', { categoryId: -9223372036854775808n }],
    ['the greatest categoryId', { categoryId: 9223372036854775807n }],
    ['a name of 255 characters', { name: 'a'.repeat(255) }],
    ['a name of 255 characters past the 16-bit plane', { name: '🐈'.repeat(255) }],
    ['a name with white space around it', { name: `${unicodeSpaces}a${unicodeSpaces}` }],
  ])('accepts %s', (_title, field) => {
    expect(parsePet({ ...bella, ...field })).toEqual({ ...bella, ...field });
  });

  it.each([
    ['no character', ''],
    ['256 characters', 'a'.repeat(256)],
    ['256 characters past the 16-bit plane', '🐈'.repeat(256)],
    ['white space only', unicodeSpaces],
    ['a lone high surrogate', 'Bella \ud83d'],
    ['surrogates in the wrong order', '\udc08\ud83d'],
    ['an integer', 1n],
    ['null', null],
    ['an array', ['Bella']],
  ])('refuses a name of %s', (_title, name) => {
    expect(() => parsePet({ ...bella, name })).toThrow(invalidBody(nameMessage));
  });

  it.each([-9223372036854775809n, 9223372036854775808n, 1.5, 1e300, '1', true, null, [1n]])(
    'refuses the categoryId %s',
    (categoryId) => {
      expect(() => parsePet({ ...bella, categoryId })).toThrow(invalidBody(categoryIdMessage));
    },
  );

  it.each(['', 'Sold', ' sold', 'gone', 1n, null, ['sold']])('refuses the status %o', (status) => {
    expect(() => parsePet({ ...bella, status })).toThrow(invalidBody(statusMessage));
  });

  it.each([
    ['missing', {}, 'name is required. categoryId is required.'],
    [
      'invalid',
      { name: '', categoryId: '1', status: 'gone' },
      `${nameMessage} ${categoryIdMessage} ${statusMessage}`,
    ],
  ])('names every %s field', (_title, body, message) => {
    expect(() => parsePet(body)).toThrow(invalidBody(message));
  });

  it.each([
    ['null', null],
    ['a string', 'Bella'],
    ['an empty array', []],
    ['an array of pets', [bella]],
  ])('refuses %s in place of an object', (_title, body) => {
    expect(() => parsePet(body)).toThrow(invalidBody('The body must be a JSON object.'));
  });
});

describe('PetId', () => {
  it('reads any positive int64 in canonical decimal', () => {
    const id = fc.oneof(fc.constantFrom(1n, 2n ** 63n - 1n), fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }));

    fc.assert(
      fc.property(id, (id) => {
        expect(parse(PetId, `${id}`, 'not_found')).toBe(id);
      }),
    );
  });

  it.each([undefined, '', '0', '-1', '+1', '01', '1.0', '1e3', ' 1', '1\n', '9223372036854775808', '1n'])(
    'refuses %j',
    (id) => {
      expect(() => parse(PetId, id, 'not_found')).toThrow(
        expect.objectContaining({
          code: 'not_found',
          message: 'The requested resource could not be found.',
        }),
      );
    },
  );
});

describe('Pet', () => {
  it.each([1n, 2n ** 53n - 1n])('accepts the id %s', (id) => {
    expect(parse(Pet, { id, ...bella }, 'invalid_body')).toEqual({ id, ...bella });
  });

  it.each([{}, { ...bella, id: 0n }, { ...bella, id: 2n ** 53n }, { ...bella, id: 1 }])(
    'refuses pet %#',
    (pet) => {
      expect(() => parse(Pet, pet, 'invalid_body')).toThrow();
    },
  );
});

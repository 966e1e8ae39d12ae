import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodePosition, encodePosition } from '../../../shared/tables/position.ts';
import type { Key } from '../../../shared/tables/table-definitions.ts';
import { codePoint } from '../../support/properties/code-point.ts';

const pets: Key = { id: 'N' };
const byStatus: Key = { status: 'S', id: 'N' };
const orders: Key = { customerId: 'S', orderId: 'S' };
const byPrice: Key = { shop: 'S', price: 'N' };

const invalid = expect.objectContaining({ code: 'invalid_query' });
const nines = '9'.repeat(38);

describe('a position', () => {
  // Clients follow links across releases.
  it.each([
    ['12', [pets, pets], {}, { id: 12n }],
    ['12', [pets, byStatus], { status: 'sold' }, { id: 12n, status: 'sold' }],
    ['acme,a%2Cb%2525', [orders, orders], {}, { customerId: 'acme', orderId: 'a,b%25' }],
    [
      'one,ox,-5',
      [orders, byPrice],
      { shop: 'x' },
      { customerId: 'one', orderId: 'ox', shop: 'x', price: -5n },
    ],
  ])('is %s in every release, for the keys %o and the partition %o', (text, keys, partition, item) => {
    expect(encodePosition(keys, partition, { ...item, name: 'Bella' })).toBe(text);
    expect(decodePosition(keys, partition, text)).toEqual(item);
  });

  it('keeps every text that DynamoDB can store', () => {
    const text = fc.oneof(
      fc.string({ unit: codePoint, minLength: 1, maxLength: 20 }),
      fc.string({ unit: fc.constantFrom('%', '2', '5', 'C', ','), minLength: 1, maxLength: 8 }),
    );

    fc.assert(
      fc.property(
        text,
        text,
        fc.bigInt({ min: -(10n ** 37n), max: 10n ** 37n }),
        (customerId, orderId, price) => {
          const item = { customerId, orderId, price };
          const position = encodePosition([orders, byPrice], { shop: 'x' }, item);

          expect(decodePosition([orders, byPrice], { shop: 'x' }, position)).toEqual({ ...item, shop: 'x' });
        },
      ),
    );
  });

  it.each([
    ...['0', '-1', '1.50', '1e125', '-1E-130', `${nines}e88`, `0.${nines}`, `${nines}${'0'.repeat(88)}`],
  ])('may be the number %s', (text) => {
    expect(`${decodePosition([pets], {}, text)['id']}`).toBe(text);
  });

  it.each([
    ...[
      '',
      'x',
      '0x1',
      ' 1',
      '1 ',
      '--1',
      '1.',
      '.1',
      '1e',
      'NaN',
      'Infinity',
      '1,2',
      '1e126',
      '1e-131',
      '1e999',
    ],
    ...[`${nines}9`, `0.1${nines}`, `${nines}e89`, '1'.repeat(100_000)],
  ])('cannot be the number %j', (text) => {
    expect(() => decodePosition([pets], {}, text)).toThrow(invalid);
  });

  it.each([
    ['é'.repeat(1024), 'é'.repeat(512)],
    ['a', 'b'],
  ])('may have text keys as long as DynamoDB stores', (customerId, orderId) => {
    expect(decodePosition([orders], {}, `${customerId},${orderId}`)).toEqual({ customerId, orderId });
  });

  it.each([
    ['an empty partition key', ',b'],
    ['an empty sort key', 'a,'],
    ['a partition key of 2,050 bytes', `${'é'.repeat(1025)},b`],
    ['a sort key of 1,026 bytes', `a,${'é'.repeat(513)}`],
    ['a missing key', 'a'],
    ['a superfluous key', 'a,b,c'],
  ])('cannot have %s', (_title, text) => {
    expect(() => decodePosition([orders], {}, text)).toThrow(invalid);
  });
});

import { expect, it } from 'vitest';
import { itemSize, readUnits, writeUnits } from '../support/dynamodb/capacity-units.ts';

/** An item of a number of bytes. */
const item = (bytes: number) => ({ a: { S: 'x'.repeat(bytes - 1) } });

// The examples of https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html
it.each([
  ['rounds an item of 3.5 KB up to 4', [item(3584)], true, 1],
  ['takes half for an eventually consistent read', [item(3584)], false, 0.5],
  ['rounds an item of 10 KB up to 12', [item(10_240)], true, 3],
  ['rounds the sum of a Query, not each item', Array.from({ length: 40 }, () => item(1024)), true, 10],
  ['takes a unit if there is nothing to read', [], true, 1],
])('a read %s', (_rule, items, isConsistent, units) => {
  expect(readUnits(items, isConsistent)).toBe(units);
});

it.each([
  [100, 1],
  [1024, 1],
  [1025, 2],
  [2048, 2],
])('a write of %i bytes takes %i units', (bytes, units) => {
  expect(writeUnits(item(bytes))).toBe(units);
});

it('text counts as UTF-8, and a number by its digits', () => {
  const values = { name: { S: 'Zoë' }, id: { N: '-1200' }, digest: { B: 'AAAA' } };

  expect(itemSize(values)).toBe(4 + 4 + (2 + 3) + (6 + 3));
});

it('a list or a map takes 3 bytes, and 1 for each element', () => {
  expect(itemSize({ tags: { L: [{ S: 'calm' }, { BOOL: true }] } })).toBe(4 + 3 + (1 + 4) + (1 + 1));
  expect(itemSize({ owner: { M: { name: { S: 'Ana' }, email: { NULL: true } } } })).toBe(
    5 + 3 + (1 + 4 + 3) + (1 + 5 + 1),
  );
});

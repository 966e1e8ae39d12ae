import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiKeyTable } from '../../../../shared/keys/api-key.ts';
import { bookTable, shelfTable } from '../../../../test/support/tables/library.ts';
import { idOf, keyOf, shownIdOf, versionOf } from '../../put-back/item.ts';

const named = { ...shelfTable, key: { partition: 'room' } };

describe('an id', () => {
  it.each([
    ['number', shelfTable, { id: { N: '7' } }, '7'],
    ['text', named, { room: { S: 'a "b"\n' } }, '"a \\"b\\"\\n"'],
    ['partition and sort key', bookTable, { owner: { S: 'ann' }, title: { S: 'Emma' } }, '["ann","Emma"]'],
  ])('of a %s names its key', (_title, table, key, id) => {
    expect(idOf(table, { ...key, note: { S: 'other' } })).toBe(id);
    expect(keyOf(table, id)).toEqual(key);
  });

  it('leads back to any key', () => {
    const texts = fc.record({ owner: fc.string(), title: fc.string() });

    fc.assert(
      fc.property(texts, ({ owner, title }) => {
        const key = { owner: { S: owner }, title: { S: title } };
        expect(keyOf(bookTable, idOf(bookTable, key))).toEqual(key);
      }),
    );
  });

  it.each([
    ['number', shelfTable, ['', 'id', '07', '-0', '1.0', '1e3', '"7"', '[7]', ' 7', '1 2', '9'.repeat(39)]],
    ['text', named, ['hall', '7', '["hall"]', '"\\u0061"', '"hall" ', 'null']],
    [
      'partition and sort key',
      bookTable,
      ['ann', '["ann"]', '["ann", "Emma"]', '["ann","Emma",""]', '["ann",7]', '{}'],
    ],
  ])('of a %s is no other text', (_title, table, texts) => {
    expect(texts.filter((text) => keyOf(table, text))).toEqual([]);
  });

  it('of an API key is the one that operators know', () => {
    expect(shownIdOf(apiKeyTable, { keyHash: { S: `f43f754ec9a6${'0'.repeat(52)}` } })).toBe('f43f754ec9a6');
  });
});

describe('a version', () => {
  const item = { id: { N: '1' }, tags: { SS: ['a', 'b'] }, bytes: { B: new Uint8Array([1, 2]) } };

  it.each([
    ['an attribute more', { ...item, room: { S: 'hall' } }],
    ['another type', { ...item, id: { S: '1' } }],
    ['another element', { ...item, tags: { SS: ['a', 'c'] } }],
    ['other bytes', { ...item, bytes: { B: new Uint8Array([1, 3]) } }],
    ['a list in place of a set', { ...item, tags: { L: [{ S: 'a' }, { S: 'b' }] } }],
  ])('differs with %s', (_title, other) => {
    expect(versionOf(other)).not.toBe(versionOf(item));
  });

  it('differs with another order of a list', () => {
    const listed = (...texts: string[]) => ({ list: { L: texts.map((S) => ({ S })) } });

    expect(versionOf(listed('a', 'b'))).not.toBe(versionOf(listed('b', 'a')));
  });
});

import { describe, expect, it } from 'vitest';
import { isConstant, type PageCost } from './growth.ts';
import { runBench } from './run-bench.ts';

const page: PageCost = { pets: 100, filter: 'sold', page: 'last', capacityUnits: 0.5, itemsRead: 20 };

describe('npm run bench -- growth', () => {
  it('finds that a page takes no more of a larger table, wherever it starts', async ({ signal }) => {
    const costs = await runBench(['growth', '--pets', '1000', '100'], signal);

    const { readUnits, full, last } = { readUnits: 0.5, full: 21, last: 20 };
    const pagesOf = (pets: number, filter?: string) => [
      { pets, ...(filter && { filter }), page: 'first', capacityUnits: readUnits, itemsRead: full },
      { pets, ...(filter && { filter }), page: 'middle', capacityUnits: readUnits, itemsRead: full },
      { pets, ...(filter && { filter }), page: 'last', capacityUnits: readUnits, itemsRead: last },
    ];
    expect(costs).toEqual([100, 1000].flatMap((pets) => [...pagesOf(pets), ...pagesOf(pets, 'available')]));
  });
});

describe('isConstant', () => {
  it('is true of pages that differ in nothing but the size of the table', () => {
    const others: PageCost[] = [
      { ...page, page: 'first', itemsRead: 21 },
      { ...page, pets: 1000 },
    ];

    expect(isConstant([page, ...others])).toBe(true);
  });

  it.each([{ capacityUnits: 1 }, { itemsRead: 40 }])(
    'is false of a page that takes %j of a larger table',
    (more) => {
      expect(isConstant([page, { ...page, pets: 1000, ...more }])).toBe(false);
    },
  );
});

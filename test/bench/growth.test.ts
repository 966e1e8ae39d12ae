import { describe, expect, it } from 'vitest';
import { isConstant, type PageCost } from './growth.ts';

const page: PageCost = { pets: 100, filter: 'sold', limit: 20, page: 'last', readUnits: 0.5, itemsRead: 20 };

describe('isConstant', () => {
  it('is true of pages that differ in nothing but the size of the table', () => {
    const others: PageCost[] = [
      { ...page, page: 'first', itemsRead: 21 },
      { ...page, pets: 1000 },
      { ...page, pets: 10, readUnits: 0, itemsRead: 10 },
    ];

    expect(isConstant([page, ...others])).toBe(true);
  });

  it.each([{ readUnits: 1 }, { itemsRead: 40 }])(
    'is false of a page that takes %j of a larger table',
    (more) => {
      expect(isConstant([page, { ...page, pets: 1000, ...more }])).toBe(false);
    },
  );
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureGrowth } from './growth.ts';
import { measureConsumption } from './metered-function.ts';
import { setUpWorkbench, type Workbench } from './workbench.ts';

// It starts the functions, on a machine that may be busy.
const timeout = 90_000;

let workbench: Workbench;
beforeAll(async () => {
  workbench = await setUpWorkbench();
}, timeout);
afterAll(() => workbench[Symbol.dispose]());

describe('measureConsumption', { timeout }, () => {
  it('tells the capacity that each operation takes', async () => {
    const consumption = await measureConsumption(workbench.functions, workbench.plainEndpoint);

    expect(Object.fromEntries(consumption)).toEqual({
      'get-pet': { readUnits: 1, writeUnits: 0, itemsRead: 1 },
      'list-pets': { readUnits: 0.5, writeUnits: 0, itemsRead: 21 },
      'create-pet': { readUnits: 0, writeUnits: 1, itemsRead: 0 },
      authorizer: { readUnits: 1, writeUnits: 0, itemsRead: 1 },
    });
  });
});

describe('measureGrowth', { timeout }, () => {
  it('finds that a page takes no more of a larger table, wherever it starts', async () => {
    const costs = await measureGrowth(workbench, [400, 1000], () => undefined);

    const pagesOf = (pets: number, filter: string | undefined, limit: number, readUnits: number) => {
      const page = { pets, filter, limit, readUnits };
      return [
        { ...page, page: 'first', itemsRead: limit + 1 },
        { ...page, page: 'middle', itemsRead: limit + 1 },
        { ...page, page: 'last', itemsRead: limit },
      ];
    };
    expect(costs).toEqual(
      [400, 1000].flatMap((pets) => [
        ...pagesOf(pets, undefined, 20, 0.5),
        ...pagesOf(pets, undefined, 100, 1.5),
        ...pagesOf(pets, 'available', 20, 0.5),
        ...pagesOf(pets, 'available', 100, 1),
      ]),
    );
  });
});

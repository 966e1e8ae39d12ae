import { expect, it } from 'vitest';
import { measureGrowth } from './growth.ts';
import { setUpWorkbench } from './workbench.ts';

// It starts the functions, on a machine that may be busy.
const timeout = 90_000;

it('finds that a page costs the same in a larger table', { timeout }, async () => {
  using workbench = await setUpWorkbench();

  const costs = await measureGrowth(workbench, [320, 480]);

  const pagesOf = (pets: number, status: string, limit: number, readUnits: number) => {
    const page = { pets, status, limit, readUnits };
    return [
      { ...page, page: 'first', itemsRead: limit + 1 },
      { ...page, page: 'middle', itemsRead: limit + 1 },
      { ...page, page: 'last', itemsRead: limit },
    ];
  };
  expect(costs).toEqual(
    [320, 480].flatMap((pets) => [
      ...pagesOf(pets, 'any', 20, 0.5),
      ...pagesOf(pets, 'any', 100, 1.5),
      ...pagesOf(pets, 'available', 20, 0.5),
      ...pagesOf(pets, 'available', 100, 1.5),
    ]),
  );
});

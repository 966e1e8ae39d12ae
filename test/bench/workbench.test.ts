import { afterAll, expect, it } from 'vitest';
import { costOf } from './costs.ts';
import { measureGrowth } from './growth.ts';
import { startMetered } from './lambda/metered-function.ts';
import { setUpWorkbench } from './workbench.ts';

// It starts the functions, on a machine that may be busy.
const timeout = 90_000;

const workbench = await setUpWorkbench();
afterAll(() => workbench[Symbol.dispose]());

it('finds what each operation takes and what a million of it cost', { timeout }, async () => {
  const { functions, plainEndpoint, petIndexCount } = workbench;

  const costs = await Array.fromAsync(functions, async (build) => {
    await using metered = await startMetered(build, plainEndpoint);
    const consumption = await metered.invoke();
    return [
      build.name,
      consumption.itemsRead,
      costOf({ ...build, billedMs: 4 }, consumption, petIndexCount, 512),
    ];
  });

  // 0.5 GB for 4 ms, and 4 more of DynamoDB's, are 4,000 GB-seconds a million; a write is one of the table and one of
  // its index.
  const lambdaUsd = expect.closeTo(0.2 + 4000 * 0.000_013_333_4);
  const read = { readUnits: 1, writeUnits: 0, billedMs: 8, lambdaUsd, dynamodbUsd: 0.125, apiUsd: 3.5 };
  expect(costs).toEqual([
    ['get-pet', 1, read],
    ['list-pets', 21, { ...read, readUnits: 0.5, dynamodbUsd: 0.0625 }],
    ['create-pet', 0, { ...read, readUnits: 0, writeUnits: 2, dynamodbUsd: 2 * 0.625 }],
    ['authorizer', 1, { ...read, apiUsd: 0 }],
  ]);
});

it('finds that a page takes no more of a larger table, wherever it starts', { timeout }, async () => {
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
      ...pagesOf(pets, 'available', 100, 1),
    ]),
  );
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { dynamodb } from '../../shared/lambda/dynamodb.ts';
import { putPet, removeEveryPet } from '../support/functions/stored-pets.ts';
import { readCachedPage } from './first-pages.ts';

const bella = { name: 'Bella', categoryId: 1n, status: 'sold' } as const;
const firstPage = { limit: 20, after: undefined, status: 'sold' } as const;

/** The cache outlives a test, so each begins an hour after the last. */
let now = Date.parse('2026-11-23T00:00:00Z');

beforeEach(async () => {
  await removeEveryPet();
  now += 3_600_000;
  vi.useFakeTimers({ now, toFake: ['Date'] });
});
afterEach(() => vi.useRealTimers());

it('a first page is read once a second', async () => {
  const send = vi.spyOn(dynamodb, 'send');
  await readCachedPage(firstPage);
  await putPet(1n, bella);

  vi.setSystemTime(Date.now() + 999);
  expect(await readCachedPage(firstPage)).toEqual({ items: [], next: undefined });
  vi.setSystemTime(Date.now() + 1);
  expect(await readCachedPage(firstPage)).toMatchObject({ items: [{ id: 1n, ...bella }], next: undefined });

  expect(send).toHaveBeenCalledTimes(2);
});

it('each list and page size has its own first page', async () => {
  await putPet(1n, bella);
  await putPet(2n, bella);

  expect(await readCachedPage({ ...firstPage, limit: 1 })).toMatchObject({ items: [{ id: 1n }] });
  expect(await readCachedPage(firstPage)).toMatchObject({ items: [{ id: 1n }, { id: 2n }] });
  expect(await readCachedPage({ ...firstPage, status: 'available' })).toMatchObject({ items: [] });
});

it('a later page is not kept', async () => {
  const laterPage = { ...firstPage, after: '1' };
  await readCachedPage(laterPage);
  await putPet(2n, bella);

  expect(await readCachedPage(laterPage)).toMatchObject({ items: [{ id: 2n }] });
});

it('a failed read is not kept', async () => {
  vi.spyOn(dynamodb, 'send').mockRejectedValueOnce(new Error('DynamoDB failed.'));

  await expect(readCachedPage(firstPage)).rejects.toThrow('DynamoDB failed.');

  expect(await readCachedPage(firstPage)).toEqual({ items: [], next: undefined });
});

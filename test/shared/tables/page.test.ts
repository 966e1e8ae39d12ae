import { NumberValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import * as v from 'valibot';
import { beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { Pet } from '../../../shared/contract/schemas/pet.ts';
import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import { environmentVariable } from '../../../shared/lambda/environment.ts';
import { StoredApiKey } from '../../../shared/tables/api-keys-table.ts';
import { readPage as readPageOf } from '../../../shared/tables/page.ts';
import { readPetPage } from '../../../shared/tables/pets-table.ts';
import { tables } from '../../../shared/tables/table-definitions.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { dynamodb as documents, putItem } from '../../support/functions/stored-items.ts';
import { putPet, removeEveryPet, storePets } from '../../support/functions/stored-pets.ts';

const log = captureLog();
const statuses = [undefined, 'sold'] as const;

type PageRequest = Partial<Parameters<typeof readPetPage>[0]>;

const readPage = (request: PageRequest) =>
  readPetPage({ limit: 5, after: undefined, status: 'sold', ...request });

/** Reads every page of a list, with another pet perhaps created after the first, and returns its items. */
async function readAll(request: PageRequest, newId?: bigint): Promise<Pet[]> {
  const { items, next } = await readPage(request);
  if (next === undefined) return items;
  if (newId !== undefined) await putPet(newId);
  return [...items, ...(await readAll({ ...request, after: next }))];
}

describe('a page', () => {
  beforeEach(removeEveryPet);

  it('continues after the last item that DynamoDB returned, even if it is short', async () => {
    const [pet] = await storePets(1);
    const response = { Items: [{ ...pet }], LastEvaluatedKey: { id: 1n }, $metadata: {} };
    vi.spyOn(dynamodb, 'send').mockResolvedValueOnce(response);

    expect(await readPage({})).toEqual({ items: [pet], next: '1' });
  });

  it.each(['', 'x', '1e999', '9'.repeat(39)])('is rejected after %j, which no key is', async (after) => {
    const expected = expect.objectContaining({ code: 'invalid_query' });

    await expect(readPage({ after })).rejects.toEqual(expected);
    await expect(readPage({ after, status: undefined })).rejects.toEqual(expected);
  });

  it.each([
    ['a rejection of the first page', undefined, 'ValidationException'],
    // An index that is gone, for example.
    ['a rejection of a later page', '1', 'ValidationException'],
    ['any other error', '1', 'AccessDeniedException'],
  ])('rethrows %s', async (_title, after, name) => {
    const rejection = Object.assign(new Error('no'), { name });
    vi.spyOn(dynamodb, 'send').mockRejectedValueOnce(rejection);

    await expect(readPage({ after })).rejects.toBe(rejection);
  });
});

describe('a list with deleted pets', () => {
  beforeEach(removeEveryPet);

  const deleteEvery = (nth: bigint, count: bigint) =>
    Promise.all(
      Array.from({ length: Number(count) }, (_, index) => BigInt(index + 1))
        .filter((id) => id % nth === 0n)
        .map((id) => putItem('pets', { id, digest: new Uint8Array(32), deletedAt: 1n })),
    );

  it.each(statuses)('has full pages of the others (status: %s)', async (status) => {
    const pets = await storePets(40);
    await deleteEvery(3n, 40n);
    const pages: Pet[][] = [];

    for (let after: string | undefined, isLast = false; !isLast; ) {
      const { items, next } = await readPage({ limit: 9, after, status });
      pages.push(items);
      after = next;
      isLast = next === undefined;
    }

    expect(pages.map(({ length }) => length)).toEqual([9, 9, 9]);
    const listed = new Set(pages.flat().map(({ id }) => id));
    expect(listed).toEqual(new Set(pets.map(({ id }) => id).filter((id) => id % 3n !== 0n)));
    expect(log.errors()).toEqual([]);
  });

  it('ends, with a link to the rest, while it meets almost only deleted pets', async () => {
    await deleteEvery(1n, 100n);
    const send = vi.spyOn(dynamodb, 'send');

    const { items, next } = await readPage({ limit: 5, status: undefined });

    expect(items).toEqual([]);
    expect(next).toMatch(/^\d+$/);
    expect(send).toHaveBeenCalledTimes(10);
  });

  it('makes one call for a page without deleted pets', async () => {
    await storePets(9);
    const send = vi.spyOn(dynamodb, 'send');

    await readPage({ limit: 5 });

    expect(send).toHaveBeenCalledTimes(1);
  });
});

it('pages through a table with a text key', async () => {
  const TableName = environmentVariable(tables.apiKeys.nameVariable);
  const keyHashes = ['a,b', '%2C', 'ü', 'c', 'd'];
  for (const keyHash of keyHashes) {
    await documents.send(new PutCommand({ TableName, Item: { keyHash, client: 'acme', createdAt: 1n } }));
  }
  const list = { table: 'apiKeys', tableName: TableName, schema: StoredApiKey } as const;
  const first = await readPageOf(list, { limit: 3, after: undefined });
  const second = await readPageOf(list, { limit: 3, after: first.next });

  const listed = [first, second].map(({ items }) => items.map(({ keyHash }) => keyHash));
  expect(listed.map(({ length }) => length)).toEqual([3, 2]);
  expect(new Set(listed.flat())).toEqual(new Set(keyHashes));
  expect(second.next).toBeUndefined();
});

it('compiles only with an index of the table', () => {
  const list = { table: 'pets', tableName: 'pets', schema: v.object({}) } as const;
  type List = Parameters<typeof readPageOf<'pets', object>>[0];

  expectTypeOf({ ...list, index: 'byStatus' } as const).toExtend<List>();
  expectTypeOf({ ...list, index: 'byState' } as const).not.toExtend<List>();
});

describe('a list with damaged ids', () => {
  // What DynamoDB stores: at most 38 digits, from 1e-130 to less than 1e126.
  const digits = fc.stringMatching(/^[1-9]\d{0,36}[1-9]$/);
  const exponent = fc.oneof(fc.integer({ min: -130, max: -1 }), fc.integer({ min: 20, max: 88 }));
  const number = fc
    .tuple(fc.constantFrom('', '-'), digits, exponent)
    .map(([sign, text, exponent]) => `${sign}${text}e${exponent}`);
  const damagedIds = fc.uniqueArray(number, { minLength: 1, maxLength: 4 });
  const newIds = fc.uniqueArray(fc.bigInt(4n, 2n ** 47n), { minLength: 2, maxLength: 2 });
  const extremes = [`${'9'.repeat(38)}e88`, '-1e125', '1e-130', '1.5', '0', '1e25', '-99999999999999999999'];

  it('has every other item once, at every limit, with or without a filter', async () => {
    const limits = fc.integer({ min: 1, max: 4 });
    const property = fc.asyncProperty(damagedIds, limits, newIds, async (ids, limit, created) => {
      await removeEveryPet();
      const pets = await storePets(3);
      for (const id of ids) await putPet(new NumberValue(id));
      log.clear();

      for (const [index, status] of statuses.entries()) {
        const items = await readAll({ limit, status }, created[index]);

        expect(items).toEqual(expect.arrayContaining([...pets]));
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      }
      expect(log.errors()).toHaveLength(2 * ids.length);
    });

    const examples = [1, 2, 3].map((limit): [string[], number, bigint[]] => [extremes, limit, [4n, 5n]]);
    await fc.assert(property, { numRuns: 12, examples });
  });
});

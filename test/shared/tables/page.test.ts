import { NumberValue } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pet } from '../../../shared/contract/schemas/pet.ts';
import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import { readPetPage } from '../../../shared/tables/pets-table.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
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
    ['any other error', '1', 'AccessDeniedException'],
  ])('rethrows %s', async (_title, after, name) => {
    const rejection = Object.assign(new Error('no'), { name });
    vi.spyOn(dynamodb, 'send').mockRejectedValueOnce(rejection);

    await expect(readPage({ after })).rejects.toBe(rejection);
  });
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

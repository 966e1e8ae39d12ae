import { randomInt } from 'node:crypto';
import { NumberValue } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Pet } from '../../../shared/contract/schemas/pet.ts';
import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import type { PageRequest } from '../../../shared/tables/page.ts';
import { readPetPage } from '../../../shared/tables/pets-table.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { putPet, removeEveryPet, storePets } from '../../support/functions/stored-pets.ts';

const log = captureLog();
const statuses = [undefined, 'sold'] as const;

const readPage = (request: Partial<PageRequest>, status: (typeof statuses)[number] = 'sold') =>
  readPetPage({ limit: 5, after: undefined, status, ...request });

/** Reads every page of a list, with another pet created after the first, and returns its items. */
async function readAll(limit: number, status: (typeof statuses)[number], after?: string): Promise<Pet[]> {
  const { items, next } = await readPage({ limit, after }, status);
  if (next === undefined) return items;
  if (after === undefined) await putPet(BigInt(randomInt(4, 2 ** 47)));
  return [...items, ...(await readAll(limit, status, next))];
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
    await expect(readPage({ after }, undefined)).rejects.toEqual(expected);
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
  const extremes = [`${'9'.repeat(38)}e88`, '-1e125', '1e-130', '1.5', '0', '1e25', '-99999999999999999999'];

  it('has every other item once, at every limit, with or without a filter', async () => {
    const property = fc.asyncProperty(damagedIds, fc.integer({ min: 1, max: 4 }), async (ids, limit) => {
      await removeEveryPet();
      const pets = await storePets(3);
      for (const id of ids) await putPet(new NumberValue(id));
      log.clear();

      for (const status of statuses) {
        const items = await readAll(limit, status);

        expect(items).toEqual(expect.arrayContaining([...pets]));
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      }
      expect(log.errors()).toHaveLength(2 * ids.length);
    });

    await fc.assert(property, { numRuns: 12, examples: [1, 2, 3].map((limit) => [extremes, limit]) });
  });
});

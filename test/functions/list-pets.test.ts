import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/list-pets.ts';
import { encodeCursor } from '../../shared/contract/schemas/page-cursor.ts';
import { type Pet, PetStatus } from '../../shared/contract/schemas/pet.ts';
import { captureErrorLog } from '../support/functions/error-log.ts';
import {
  commonHeaders,
  errorResponse,
  internalError,
  serviceUnavailable,
} from '../support/functions/expected-response.ts';
import { invoke } from '../support/functions/invoke.ts';
import { petItem, putItem, removeEveryPet, storePets } from '../support/functions/stored-pets.ts';
import { loadAt, nowhere } from '../support/functions/stub-dynamodb.ts';

const log = captureErrorLog();
const limitMessage = 'limit must be an integer from 1 to 100.';
const statusMessage = 'status must be one of available, pending, sold.';
const cursorMessage = 'cursor must be the one of a Link header, sent with the same status filter.';

const soldOf = (count: number) => Array.from({ length: count }, () => 'sold' as const);
const byId = (a: Pet, b: Pet) => (a.id < b.id ? -1 : 1);

/** The link to the page after a pet. */
const linkTo = (after: Pet | undefined, limit: number, status?: PetStatus) => {
  const cursor = encodeCursor(after?.id ?? 0n, status);
  const filter = status === undefined ? '' : `&status=${status}`;
  return `<http://pets.example/v1/pets?limit=${limit}${filter}&cursor=${cursor}>; rel="next"`;
};

/** Follows the links from the first page to the last, and gives every page. */
async function walk(query: string): Promise<readonly Pet[][]> {
  const { body, headers } = await invoke(handler, { query });
  const next = /^<(.+)>; rel="next"$/.exec(String(headers['Link']))?.[1];
  return [body as Pet[], ...(next === undefined ? [] : await walk(new URL(next).search.slice(1)))];
}

describe('GET /pets', () => {
  beforeEach(removeEveryPet);

  it('responds with an empty array where there is no pet', async () => {
    const response = await invoke(handler);

    expect(response).toEqual({ status: 200, headers: commonHeaders, body: [] });
  });

  it('lists 20 pets and links to the others where no limit is given', async () => {
    const pets = await storePets(soldOf(21));

    const response = await invoke(handler, { query: 'status=sold' });

    expect(response).toEqual({
      status: 200,
      headers: { ...commonHeaders, Link: linkTo(pets[19], 20, 'sold') },
      body: pets.slice(0, 20),
    });
  });

  it('lists up to 100 pets, and has no link on the last page', async () => {
    const pets = await storePets(soldOf(100));

    const response = await invoke(handler, { query: 'limit=100&status=sold' });

    expect(response).toEqual({ status: 200, headers: commonHeaders, body: pets });
  });

  it('links to the next page of the same limit without a filter too', async () => {
    await storePets(soldOf(3));

    const response = await invoke(handler, { query: 'limit=2' });

    const [, second] = response.body as Pet[];
    expect(response.headers).toEqual({ ...commonHeaders, Link: linkTo(second, 2) });
  });

  it.each(PetStatus.options)('lists only the pets that are %s', async (status) => {
    const pets = await storePets([...PetStatus.options, ...PetStatus.options]);

    const response = await invoke(handler, { query: `status=${status}` });

    expect(response).toEqual({
      status: 200,
      headers: commonHeaders,
      body: pets.filter((pet) => pet.status === status),
    });
  });

  it('gives each pet exactly once, page by page, for any number of pets and any limit', async () => {
    const statuses = fc.array(fc.constantFrom(...PetStatus.options), { maxLength: 12 });
    const limit = fc.integer({ min: 1, max: 14 });
    const filter = fc.constantFrom(undefined, ...PetStatus.options);

    await fc.assert(
      fc.asyncProperty(statuses, limit, filter, async (stored, size, status) => {
        await removeEveryPet();
        const pets = await storePets(stored);
        const wanted = pets.filter((pet) => status === undefined || pet.status === status);

        const pages = await walk(`limit=${size}${status === undefined ? '' : `&status=${status}`}`);

        const listed = pages.flat();
        expect(status === undefined ? listed.sort(byId) : listed).toEqual(wanted);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(wanted.length / size)));
      }),
      { numRuns: 25 },
    );
  });

  it('lists the pets in the same order whatever the limit', async () => {
    await storePets(soldOf(10));

    const [whole] = await walk('limit=100');
    const pages = await walk('limit=3');

    expect(pages.flat()).toEqual(whole);
  });

  it('ignores unknown parameters', async () => {
    const response = await invoke(handler, { query: 'offset=-1&Limit=x&offset=2' });

    expect(response.status).toBe(200);
  });

  it.each([
    ['limit=5&limit=5', 'limit must be given at most once.'],
    ['status=Sold&limit=ten', `${limitMessage} ${statusMessage}`],
    [`status=sold&cursor=${encodeCursor(12n, undefined)}`, cursorMessage],
  ])('refuses the query %s', async (query, message) => {
    const response = await invoke(handler, { query });

    expect(response).toEqual(errorResponse(400, 'invalid_query', message));
  });

  it('responds with 500 for a damaged pet, and logs what is damaged', async () => {
    await putItem({ ...petItem(12n), categoryId: 'cats' });

    const response = await invoke(handler);

    expect(response).toEqual(internalError);
    expect(log.lines()).toEqual([expect.stringContaining('A stored item has invalid categoryId.')]);
  });

  it('responds with 503 while DynamoDB is unreachable', async () => {
    const listPets = await loadAt(nowhere, () => import('../../functions/list-pets.ts'));

    const response = await invoke(listPets.handler);

    expect(response).toEqual(serviceUnavailable);
    expect(log.lines().at(-1)).toContain('ECONNREFUSED');
  });
});

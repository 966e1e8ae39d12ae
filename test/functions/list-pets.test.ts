import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/list-pets.ts';
import { encodeCursor } from '../../shared/contract/schemas/page-cursor.ts';
import { type Pet, PetStatus } from '../../shared/contract/schemas/pet.ts';
import { commonHeaders, errorResponse } from '../support/functions/expected-response.ts';
import { invoke } from '../support/functions/invoke.ts';
import { removeEveryPet, storePets } from '../support/functions/stored-pets.ts';

const limitMessage = 'limit must be an integer from 1 to 100.';
const statusMessage = 'status must be one of available, pending, sold.';
const cursorMessage = 'cursor must be the one of a Link header, sent with the same status filter.';

const byId = (a: Pet, b: Pet) => (a.id < b.id ? -1 : 1);

/** Follows the links from the first page to the last, and gives every page. */
async function walk(query: string): Promise<readonly Pet[][]> {
  const { body, headers } = await invoke(handler, { query });
  const next = /^<(.+)>; rel="next"$/.exec(String(headers['Link']))?.[1];
  return [body as Pet[], ...(next === undefined ? [] : await walk(new URL(next).search.slice(1)))];
}

describe('GET /pets', () => {
  beforeEach(removeEveryPet);

  it('responds with an empty array and no link where there is no pet', async () => {
    const response = await invoke(handler);

    expect(response).toEqual({ status: 200, headers: commonHeaders, body: [] });
  });

  it('lists 20 pets and links to the others where no limit is given', async () => {
    const pets = await storePets(Array(21).fill('sold'));

    const response = await invoke(handler, { query: 'status=sold' });

    const cursor = encodeCursor(pets[19]?.id ?? 0n, 'sold');
    const Link = `<http://pets.example/v1/pets?limit=20&status=sold&cursor=${cursor}>; rel="next"`;
    expect(response).toEqual({
      status: 200,
      headers: { ...commonHeaders, Link },
      body: pets.slice(0, 20),
    });
  });

  it('gives each pet exactly once, page by page, in the same order whatever the limit', async () => {
    const statuses = fc.array(fc.constantFrom(...PetStatus.options), { maxLength: 12 });
    const limit = fc.integer({ min: 1, max: 14 });
    const filter = fc.constantFrom(undefined, ...PetStatus.options);

    await fc.assert(
      fc.asyncProperty(statuses, limit, filter, async (stored, size, status) => {
        await removeEveryPet();
        const pets = await storePets(stored);
        const wanted = pets.filter((pet) => status === undefined || pet.status === status);
        const query = status === undefined ? '' : `&status=${status}`;

        const pages = await walk(`limit=${size}${query}`);
        const [whole = []] = await walk(`limit=100${query}`);

        expect(pages.flat()).toEqual(whole);
        expect(status === undefined ? whole.sort(byId) : whole).toEqual(wanted);
        expect(pages).toHaveLength(Math.max(1, Math.ceil(wanted.length / size)));
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['limit=5&limit=5', 'limit must be given at most once.'],
    ['status=Sold&limit=ten', `${limitMessage} ${statusMessage}`],
    [`status=sold&cursor=${encodeCursor(12n, undefined)}`, cursorMessage],
  ])('refuses the query %s', async (query, message) => {
    const response = await invoke(handler, { query });

    expect(response).toEqual(errorResponse(400, 'invalid_query', message));
  });
});

import fc from 'fast-check';
import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler as createPet } from '../../functions/create-pet.ts';
import { handler } from '../../functions/list-pets.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { encodeCursor } from '../../shared/contract/schemas/page-cursor.ts';
import { pageSize } from '../../shared/contract/schemas/page-query.ts';
import { type Pet, PetStatus } from '../../shared/contract/schemas/pet.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { commonHeaders, errorResponse } from '../support/functions/expected-response.ts';
import { invoke, type TestResponse } from '../support/functions/invoke.ts';
import { removeEveryPet, storePets } from '../support/functions/stored-pets.ts';

captureLog();

const newPets = fc.array(
  fc.constantFrom(...PetStatus.options).map((status) => ({ ...exampleNewPet, status })),
  { maxLength: 8 },
);

const createAll = (pets: readonly object[]) =>
  Promise.all(
    pets.map(async (pet) => {
      const { body } = await invoke(createPet, { method: 'POST', body: stringifyJson(pet) });
      return body as Pet;
    }),
  );

/** Returns the query of the next page, from the `Link` header of a list. */
const nextQueryOf = ({ headers }: TestResponse) =>
  /^<https:\/\/pets\.example\/v1\/pets\?(.+)>; rel="next"$/.exec(String(headers['Link']))?.[1];

/** Follows the links from the first page to the last, and returns the pets of each page. */
async function readPages(query: string, beforeEachPage: () => Promise<void>): Promise<readonly Pet[][]> {
  const [response] = await Promise.all([invoke(handler, { query }), beforeEachPage()]);
  const next = nextQueryOf(response);
  return [response.body as Pet[], ...(next === undefined ? [] : await readPages(next, beforeEachPage))];
}

describe('GET /pets', () => {
  beforeEach(removeEveryPet);

  it('lists as many pets as the default, with a link to the others', async () => {
    const pets = await storePets(pageSize.default + 1);

    const response = await invoke(handler, { query: 'status=sold' });

    const cursor = encodeCursor(`${pageSize.default}`, { status: 'sold' });
    const Link = `<https://pets.example/v1/pets?limit=${pageSize.default}&status=sold&cursor=${cursor}>; rel="next"`;
    expect(response).toEqual({
      status: 200,
      headers: { ...commonHeaders, Link },
      body: pets.slice(0, pageSize.default),
    });
  });

  it('links to the next page with every parameter of the query', async () => {
    await storePets(2);
    vi.resetModules();
    const { ListPetsQuery } = await import('../../shared/contract/schemas/list-pets-query.ts');
    Object.assign(ListPetsQuery.entries, { unforeseen: v.tuple([v.string()]) });
    const listPets = await import('../../functions/list-pets.ts');

    const response = await invoke(listPets.handler, { query: 'unforeseen=7&limit=1' });

    expect(nextQueryOf(response)).toMatch(/^limit=1&unforeseen=7&cursor=[\w-]+$/);
  });

  it('rejects an invalid query', async () => {
    const response = await invoke(handler, { query: 'limit=ten' });

    expect(response).toEqual(errorResponse(400, 'invalid_query', 'limit must be an integer from 1 to 100.'));
  });

  it('lists every pet once, in a stable order, while others are created', async () => {
    const filters = fc.constantFrom(undefined, ...PetStatus.options);
    const lists = [newPets, newPets, fc.integer({ min: 1, max: 5 }), filters] as const;
    const property = fc.asyncProperty(...lists, async (some, more, limit, status) => {
      await removeEveryPet();
      const query = `limit=${limit}${status ? `&status=${status}` : ''}`;
      const before = await createAll(some);
      const meanwhile: Pet[] = [];
      const rest = [...more];
      const pages = await readPages(query, async () => {
        meanwhile.push(...(await createAll(rest.splice(0, 2))));
      });

      const listed = pages.flat();
      const isListed = (pet: Pet) => (status ?? pet.status) === pet.status;
      const created = new Map([...before, ...meanwhile].map((pet) => [pet.id, pet]));
      expect(listed).toEqual(listed.map(({ id }) => created.get(id)));
      expect(listed.filter(isListed)).toEqual(listed);
      expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
      expect(listed).toEqual(expect.arrayContaining(before.filter(isListed)));
      expect(pages.slice(0, -1).filter((page) => page.length !== limit)).toEqual([]);
      // Only an empty list has an empty page.
      expect(pages.slice(1).filter((page) => page.length === 0)).toEqual([]);

      const again = (await readPages(query, async () => undefined)).flat();
      expect(listed).toEqual(again.filter(({ id }) => listed.some((pet) => pet.id === id)));
    });
    await fc.assert(property, { numRuns: 20 });
  });
});

import * as v from 'valibot';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/list-pets.ts';
import { encodeCursor } from '../../shared/contract/schemas/page-cursor.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { commonHeaders, errorResponse } from '../support/functions/expected-response.ts';
import { invoke, nextQueryOf } from '../support/functions/invoke.ts';
import { putPet, removeEveryPet, storePets } from '../support/functions/stored-pets.ts';

captureLog();

/** Follows the links from the first page to the last, and returns the body of every page. */
async function readAllPages(query: string): Promise<readonly unknown[]> {
  const response = await invoke(handler, { query });
  const next = nextQueryOf(response);
  return [response.body, ...(next === undefined ? [] : await readAllPages(next))];
}

describe('GET /pets', () => {
  beforeEach(removeEveryPet);

  it('responds with an empty array without a link if there are no pets', async () => {
    const response = await invoke(handler);

    expect(response).toEqual({ status: 200, headers: commonHeaders, body: [] });
  });

  it('lists 20 pets by default, with a link to the others', async () => {
    const pets = await storePets(21);

    const response = await invoke(handler, { query: 'status=sold' });

    const cursor = encodeCursor(20n, 'sold');
    const Link = `<https://pets.example/v1/pets?limit=20&status=sold&cursor=${cursor}>; rel="next"`;
    expect(response).toEqual({
      status: 200,
      headers: { ...commonHeaders, Link },
      body: pets.slice(0, 20),
    });
  });

  it('leaves out a damaged pet without ending the list', async () => {
    await putPet(1n);
    await putPet(2n, { name: '' });
    await putPet(3n);

    const pages = await readAllPages('limit=1&status=sold');

    expect(pages).toMatchObject([[{ id: 1n }], [], [{ id: 3n }]]);
  });

  it('links to the next page with every parameter of the query', async () => {
    await storePets(2);
    vi.resetModules();
    const { ListPetsQuery } = await import('../../shared/contract/schemas/list-pets-query.ts');
    Object.assign(ListPetsQuery.entries, { categoryId: v.tuple([v.string()]) });
    const listPets = await import('../../functions/list-pets.ts');

    const response = await invoke(listPets.handler, { query: 'categoryId=7&limit=1' });

    expect(nextQueryOf(response)).toMatch(/^limit=1&categoryId=7&cursor=[\w-]+$/);
  });

  it.each([
    ['an invalid limit', 'limit=ten', 'limit must be an integer from 1 to 100.'],
    [
      "another list's cursor",
      `status=sold&cursor=${encodeCursor(12n, undefined)}`,
      'cursor must come from a Link header and be sent with the same status filter.',
    ],
  ])('rejects %s', async (_title, query, message) => {
    const response = await invoke(handler, { query });

    expect(response).toEqual(errorResponse(400, 'invalid_query', message));
  });
});

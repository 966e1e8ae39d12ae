import { beforeAll, describe, expect, it } from 'vitest';
import { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { baseUrl, call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';
import { createOnce, type Pet, petOf, readPage, readPages, readPagesWith } from '../support/e2e/pets.ts';

const cursorMessage = 'cursor must be the one of a Link header, sent with the same status filter.';

const limit = 20;
const newPets = Array.from({ length: 63 }, (_, index) => ({
  name: `Listed ${index}`,
  categoryId: index,
  status: PetStatus.options[index % PetStatus.options.length],
}));
let created: Pet[];

beforeAll(async () => {
  created = (await Promise.all(newPets.map((newPet) => createOnce(newPet)))).map(petOf);
});

const byId = (a: Pet, b: Pet) => a.id - b.id;

describe('GET /pets', () => {
  it('responds with 20 pets unless it is told otherwise', async () => {
    const response = await call('GET', '/pets?colour=brown&LIMIT=x');

    expect(response).toMatchObject({
      status: 200,
      headers: { ...commonHeaders, 'content-type': 'application/json' },
    });
    expect(response.body).toHaveLength(20);
  });

  it('links to the next page, with the same limit and status', async () => {
    const { pets, next } = await readPage('?limit=3&status=sold&colour=brown');

    expect(pets).toHaveLength(3);
    expect(next?.href.split('?')[0]).toBe(`${baseUrl}/pets`);
    expect(Object.fromEntries(next?.searchParams ?? [])).toStrictEqual({
      limit: '3',
      status: 'sold',
      cursor: expect.stringMatching(/^[\w-]+$/),
    });
  });

  it.each([undefined, ...PetStatus.options])(
    'loses and repeats no pet of the status %s from page to page, and has no empty page at the end',
    async (status) => {
      const filter = status ? `&status=${status}` : '';
      const expected = created.filter((pet) => !status || pet.status === status).toSorted(byId);

      const pages = await readPagesWith(expected, `?limit=${limit}${filter}`);
      const cursor = pages.at(-2)?.next?.searchParams.get('cursor');
      const tail = await readPages(`?limit=1${filter}&cursor=${cursor}`);

      const pets = pages.flatMap((page) => page.pets);
      const ids = new Set(expected.map(({ id }) => id));
      const listed = pets.filter(({ id }) => ids.has(id));
      expect(status ? listed : listed.toSorted(byId)).toStrictEqual(expected);
      if (status) expect(new Set(pets.map((pet) => pet.status))).toStrictEqual(new Set([status]));
      expect(new Set(pages.slice(0, -1).map((page) => page.pets.length))).toStrictEqual(new Set([limit]));
      expect(new Set(tail.map((page) => page.pets.length))).toStrictEqual(new Set([1]));
    },
  );

  it.each([
    [
      'limit=0&status=lost',
      'limit must be an integer from 1 to 100. status must be one of available, pending, sold.',
    ],
    ['status=sold&status=sold', 'status must be given at most once.'],
  ])('refuses %s', async (query, message) => {
    expectError(await call('GET', `/pets?${query}`), 400, 'invalid_query', message);
  });

  it.each([
    ['altered', 'status=sold', (cursor: string) => `${cursor.slice(0, -1)}_`],
    ['of another status', 'status=pending', (cursor: string) => cursor],
  ])('refuses a cursor that is %s', async (_title, query, change) => {
    const { next } = await readPage('?limit=3&status=sold');
    const cursor = change(next?.searchParams.get('cursor') ?? '');

    expectError(await call('GET', `/pets?${query}&cursor=${cursor}`), 400, 'invalid_query', cursorMessage);
  });
});

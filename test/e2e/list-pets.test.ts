import { beforeAll, describe, expect, it } from 'vitest';
import { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { baseUrl, call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';
import { createAllOnce, type Pet, readPage, readPages, readPagesWith } from '../support/e2e/pets.ts';

const limitMessage = 'limit must be an integer from 1 to 100.';
const statusMessage = 'status must be one of available, pending, sold.';
const cursorMessage = 'cursor must be the one of a Link header, sent with the same status filter.';

const newPets = Array.from({ length: 102 }, (_, index) => ({
  name: `Listed ${index}`,
  categoryId: index,
  status: PetStatus.options[index % PetStatus.options.length],
}));

describe('GET /pets', () => {
  let created: Pet[];

  beforeAll(async () => {
    created = await createAllOnce(newPets);
    await Promise.all(
      ['', ...PetStatus.options].map((status) =>
        readPagesWith(
          created.filter((pet) => status === '' || pet.status === status),
          `?limit=100${status && `&status=${status}`}`,
        ),
      ),
    );
  });

  it('responds with 20 pets unless it is told otherwise', async () => {
    const response = await call('GET', '/pets');

    expect(response.status).toBe(200);
    expect(response.body).toHaveLength(20);
    expect(response.headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
  });

  it.each([1, 19, 100])('responds with %i pets when that is the limit', async (limit) => {
    const { pets } = await readPage(`?limit=${limit}`);

    expect(pets).toHaveLength(limit);
  });

  it('links to the next page, with the same limit and status', async () => {
    const { next } = await readPage('?limit=3&status=sold&colour=brown');

    expect(next?.href.split('?')[0]).toBe(`${baseUrl}/pets`);
    expect(Object.fromEntries(next?.searchParams ?? [])).toStrictEqual({
      limit: '3',
      status: 'sold',
      cursor: expect.stringMatching(/^[\w-]+$/),
    });
  });

  it('loses and repeats no pet from page to page', async () => {
    const pages = await readPages('?limit=7');

    const ids = new Set(created.map(({ id }) => id));
    const listed = pages.flatMap(({ pets }) => pets).filter(({ id }) => ids.has(id));
    expect(listed.toSorted(byId)).toStrictEqual(created.toSorted(byId));
    expectAllFull(pages.map(({ pets }) => pets.length));
  });

  it.each(PetStatus.options)('lists the %s pets by id, from page to page', async (status) => {
    const pages = await readPages(`?limit=7&status=${status}`);

    const pets = pages.flatMap((page) => page.pets);
    const ids = new Set(created.map(({ id }) => id));
    expect(new Set(pets.map((pet) => pet.status))).toStrictEqual(new Set([status]));
    expect(pets).toStrictEqual(pets.toSorted(byId));
    expect(pets.filter(({ id }) => ids.has(id))).toStrictEqual(
      created.filter((pet) => pet.status === status).toSorted(byId),
    );
    expectAllFull(pages.map((page) => page.pets.length));
  });

  it.each(['', '&status=sold'])('has no empty page at its end, with the filter %j', async (filter) => {
    const pages = await readPages(`?limit=7${filter}`);
    const cursor = pages.at(-2)?.next?.searchParams.get('cursor');

    const tail = await readPages(`?limit=1${filter}&cursor=${cursor}`);

    expect(tail.map(({ pets }) => pets.length)).toStrictEqual(tail.map(() => 1));
  });

  it('ignores unknown query parameters', async () => {
    const { pets } = await readPage('?limit=2&colour=brown&page=&page=7&LIMIT=x');

    expect(pets).toHaveLength(2);
  });

  it.each([
    ['limit=%205', limitMessage],
    ['status=sold&status=sold', 'status must be given at most once.'],
    ['limit=0&status=lost', `${limitMessage} ${statusMessage}`],
  ])('refuses %s', async (query, message) => {
    const response = await call('GET', `/pets?${query}`);

    expectError(response, 400, 'invalid_query', message);
  });

  it.each([
    ['altered', 'status=sold', (cursor: string) => `${cursor.slice(0, -1)}_`],
    ['of another status', 'status=pending', (cursor: string) => cursor],
  ])('refuses a cursor that is %s', async (_title, query, change) => {
    const { next } = await readPage('?limit=3&status=sold');
    const cursor = change(next?.searchParams.get('cursor') ?? '');

    const response = await call('GET', `/pets?${query}&cursor=${cursor}`);

    expectError(response, 400, 'invalid_query', cursorMessage);
  });
});

const byId = (a: Pet, b: Pet) => a.id - b.id;

/** Every page of 7 but the last one is full, and the last one is not empty. */
function expectAllFull(lengths: readonly number[]): void {
  expect(new Set(lengths.slice(0, -1))).toStrictEqual(new Set([7]));
  expect(lengths.at(-1)).toBeGreaterThan(0);
}

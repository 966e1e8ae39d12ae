import { beforeAll, expect, it } from 'vitest';
import { PetStatus } from '../../shared/pets/pet.ts';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';
import { createOnce, type Pet, petOf, readPage, readPagesWith } from '../support/e2e/pets.ts';

/** Each list has several pages. */
const limit = 8;
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

it.each([undefined, ...PetStatus.options])('lists every pet once (status: %s)', async (status) => {
  const expected = created.filter((pet) => !status || pet.status === status).toSorted(byId);

  const pages = await readPagesWith(expected, `?limit=${limit}${status ? `&status=${status}` : ''}`);

  const ids = new Set(expected.map(({ id }) => id));
  const listed = pages.flatMap(({ pets }) => pets).filter(({ id }) => ids.has(id));
  expect(status ? listed : listed.toSorted(byId)).toStrictEqual(expected);
  expect(pages.slice(0, -1).filter(({ pets }) => pets.length !== limit)).toStrictEqual([]);
});

it('rejects a cursor for another status', async () => {
  const { next } = await readPage('?limit=3&status=sold');
  const cursor = next?.searchParams.get('cursor');

  const response = await call('GET', `/pets?status=pending&cursor=${cursor}`);

  const message = 'cursor must come from a Link header and be sent with the same filters.';
  expectError(response, 400, 'invalid_query', message);
});

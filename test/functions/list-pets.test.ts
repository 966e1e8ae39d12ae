import { expect, it } from 'vitest';
import { handler } from '../../functions/list-pets.ts';
import { examplesOf } from '../../shared/contract/example-parameters.ts';
import { encodeCursor } from '../../shared/paging/cursor.ts';
import { pageSize } from '../../shared/paging/page-query.ts';
import { listPets } from '../../shared/pets/operations.ts';
import { petTable } from '../../shared/pets/pet-table.ts';
import { commonHeaders } from '../support/functions/expected-response.ts';
import { invoke } from '../support/functions/invoke.ts';
import { nextQueryOf } from '../support/functions/next-query.ts';
import { putPet, removeEveryPet, storePets } from '../support/functions/stored-pets.ts';

it('GET /pets lists as many pets as the default, with a link to the others', async () => {
  await removeEveryPet();
  const pets = await storePets(2 * pageSize.default);
  await putPet(99n, { status: 'available' });

  const first = await invoke(handler, { query: 'status=sold' });
  const last = await invoke(handler, { query: nextQueryOf(first, '/pets') ?? '' });

  expect([first.status, last.status]).toEqual([200, 200]);
  expect([first.body, last.body]).toEqual([pets.slice(0, pageSize.default), pets.slice(pageSize.default)]);
  expect([first.headers, last.headers]).toMatchObject([commonHeaders, commonHeaders]);
  expect(nextQueryOf(first, '/pets')).toMatch(/^limit=20&status=sold&cursor=[\w-]+$/);
  expect(nextQueryOf(last, '/pets')).toBeUndefined();
});

it('GET /pets with the example of a cursor returns the first page', async () => {
  await removeEveryPet();
  await putPet(1n, { status: 'available' });
  await putPet(2n, { status: 'sold' });
  const { cursor } = listPets.parameters.query;

  const query = new URLSearchParams({ ...cursor.exampleWith, cursor: cursor.example });
  const { status, body } = await invoke(handler, { query: `${query}` });

  const list = { table: petTable, key: petTable.indexes.byStatus, partition: cursor.exampleWith.status };
  expect(cursor.example).toBe(encodeCursor(list, { id: 0n }));
  // Tools send the examples together.
  expect(examplesOf(listPets.parameters.query)).toMatchObject(cursor.exampleWith);
  expect({ status, body }).toMatchObject({ status: 200, body: [{ id: 1n }] });
});

import { expect, it } from 'vitest';
import { handler } from '../../../functions/list-pets.ts';
import { examplesOf } from '../../../shared/contract/example-parameters.ts';
import { encodeCursor } from '../../../shared/paging/cursor.ts';
import { examplePet, listPets } from '../../../shared/pets/operations.ts';
import { petTable } from '../../../shared/pets/pet-table.ts';
import { invoke } from '../../support/functions/invoke.ts';
import { putPet, removeEveryPet } from '../../support/functions/stored-pets.ts';

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

it('the example of a Link header continues after the example pet', () => {
  const list = { table: petTable, key: petTable.key, partition: undefined };
  const { Link } = listPets.response.headers;

  const cursor = new URLSearchParams(/\?(.*)>/.exec(Link.example('/v1'))?.[1]).get('cursor');

  expect(cursor).toBe(encodeCursor(list, examplePet));
});

import { AbstractLevel } from 'abstract-level';
import { expect, it, vi } from 'vitest';
import { openPets } from '../../../support/dynamodb/pets-table.ts';

// LevelDB itself, as dynalite calls it.
const batch = vi.spyOn(AbstractLevel.prototype, 'batch');

const put = (id: string) => ({ TableName: 'Pets', Item: { id: { N: id }, status: { S: 'sold' } } });

it('the store writes an item together with its index entry', async () => {
  const tables = await openPets();
  batch.mockClear();

  await tables.call('PutItem', put('1'));

  const written = [/^index-global~Pets~by-status~/, /^item-Pets~/].map((key) => ({
    type: 'put',
    key: expect.stringMatching(key),
  }));
  expect(batch.mock.calls).toMatchObject([[written]]);
});

import { AbstractLevel } from 'abstract-level';
import { expect, it, vi } from 'vitest';
import { openPets } from '../../../support/dynamodb/pets-table.ts';
import { temporaryFile } from '../../../support/e2e/temporary-file.ts';

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

it('the store rejects all writes after a failed one, until it is opened again', async () => {
  const directory = temporaryFile('full');
  const tables = await openPets(directory);
  batch.mockRejectedValueOnce(new Error('IO error: No space left on device'));

  const failed = tables.call('PutItem', put('1'));
  await expect(failed).rejects.toThrow('A write failed (IO error: No space left on device).');
  const afterwards = tables.call('PutItem', put('2'));
  await expect(afterwards).rejects.toThrow('Writes are rejected until the local API is restarted.');
  expect(await tables.call('Scan', { TableName: 'Pets' })).toMatchObject({ Items: [] });

  await tables.close();
  const reopened = await openPets(directory);
  await reopened.call('PutItem', put('3'));
  expect(await reopened.call('Scan', { TableName: 'Pets' })).toMatchObject({ Items: [put('3').Item] });
});

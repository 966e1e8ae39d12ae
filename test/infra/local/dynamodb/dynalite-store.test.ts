import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AbstractLevel } from 'abstract-level';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openTables } from '../../../../infra/local/dynamodb/data-directory.ts';
import { petsTable } from '../../../support/dynamodb/pets-table.ts';

const parent = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(parent, { recursive: true }));

// LevelDB itself, as dynalite calls it.
const batch = vi.spyOn(AbstractLevel.prototype, 'batch');

const put = (id: string) => ({ TableName: 'Pets', Item: { id: { N: id }, status: { S: 'sold' } } });

async function openPets(directory?: string) {
  const tables = await openTables(directory);
  await tables.declare([petsTable()]);
  return tables;
}

describe('the store of the embedded DynamoDB', () => {
  it('writes an item together with its index entry', async () => {
    const tables = await openPets();
    onTestFinished(() => tables.close());
    batch.mockClear();

    await tables.call('PutItem', put('1'));

    expect(batch.mock.calls).toMatchObject([
      [
        [
          { type: 'put', key: expect.stringMatching(/^index-global~Pets~by-status~/) },
          { type: 'put', key: expect.stringMatching(/^item-Pets~/) },
        ],
      ],
    ]);
  });

  it('rejects all writes after a failed one, until it is opened again', async () => {
    const directory = join(parent, 'full');
    const tables = await openPets(directory);
    batch.mockRejectedValueOnce(new Error('IO error: No space left on device'));

    const failed = tables.call('PutItem', put('1'));
    await expect(failed).rejects.toThrow('A write failed (IO error: No space left on device).');
    const afterwards = tables.call('PutItem', put('2'));
    await expect(afterwards).rejects.toThrow('Writes are rejected until the local API is started again.');
    expect(await tables.call('Scan', { TableName: 'Pets' })).toMatchObject({ Items: [] });

    await tables.close();
    const reopened = await openPets(directory);
    onTestFinished(() => reopened.close());
    await reopened.call('PutItem', put('3'));
    expect(await reopened.call('Scan', { TableName: 'Pets' })).toMatchObject({ Items: [put('3').Item] });
  });
});

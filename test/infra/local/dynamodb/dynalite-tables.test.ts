import { expect, it, vi } from 'vitest';
import { openPets, petsTable } from '../../../support/dynamodb/pets-table.ts';
import { temporaryFile } from '../../../support/e2e/temporary-file.ts';

const logged = vi.spyOn(console, 'error').mockReturnValue();

const TableName = 'Pets';
const bella = { id: { N: '1' }, status: { S: 'sold' } };

it('a table that is declared differently is kept, with a message', async () => {
  const directory = temporaryFile('tables');
  const tables = await openPets(directory);
  await tables.call('PutItem', { TableName, Item: bella });
  await tables.close();

  const reopened = await openPets(directory);
  expect(logged).not.toHaveBeenCalled();
  await reopened.declare([petsTable('tag')]);

  expect(await reopened.call('Scan', { TableName, IndexName: 'by-status' })).toMatchObject({
    Items: [bella],
  });
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    'Pets keeps its keys and indexes, which are now declared differently. Start again for the new ones, with another directory if you use --data.',
  );
});

it('a table that DynamoDB would not create is rejected', async () => {
  const tables = await openPets();
  const unordered = { ...petsTable(), id: 'Unordered' };
  unordered.properties.GlobalSecondaryIndexes?.[0]?.KeySchema.reverse();

  await expect(tables.declare([unordered])).rejects.toThrow(
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  );
});

import { spawnSync } from 'node:child_process';
import { expect, it, vi } from 'vitest';
import { dynaliteTables } from '../../../../infra/local/dynamodb/dynalite-tables.ts';
import { petsTable } from '../../../support/dynamodb/pets-table.ts';

const logged = vi.spyOn(console, 'error').mockReturnValue();

const TableName = 'Pets';
const bella = { id: { N: '1' }, status: { S: 'sold' } };

it('a table that is declared differently is kept, with a message', async () => {
  const tables = dynaliteTables();
  await tables.declare([petsTable()]);
  await tables.call('PutItem', { TableName, Item: bella });

  await tables.declare([petsTable()]);
  expect(logged).not.toHaveBeenCalled();
  await tables.declare([petsTable('tag')]);

  expect(await tables.call('Scan', { TableName, IndexName: 'by-status' })).toMatchObject({ Items: [bella] });
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    'Pets keeps its keys and indexes: restart to apply their new declaration.',
  );
});

it('a table that DynamoDB would not create is rejected', async () => {
  const unordered = petsTable();
  unordered.properties.GlobalSecondaryIndexes?.[0]?.KeySchema.reverse();

  await expect(dynaliteTables().declare([unordered])).rejects.toThrow(
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  );
});

it("an exception that is none of dynalite's ends the process during a call", () => {
  const script = `
    import { dynaliteTables } from './infra/local/dynamodb/dynalite-tables.ts';
    const tables = dynaliteTables();
    setImmediate(() => { throw new Error('It is a bug.'); });
    for (let call = 0; call < 100; call += 1) {
      // There is no such table, which dynalite notices later than the exception.
      await tables.call('DescribeTable', { TableName: 'Pets' }).catch(({ message }) => console.log(message));
    }
  `;

  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });

  expect(stderr).toContain('Error: It is a bug.');
  expect([status, stdout]).toStrictEqual([1, '']);
});

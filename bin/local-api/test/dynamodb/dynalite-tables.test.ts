import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { declaredTable, notesTable } from '../../../../test/support/dynamodb/declared-table.ts';
import { dynaliteTables } from '../../dynamodb/dynalite-tables.ts';

const TableName = 'Notes';
const first = { id: { N: '1' }, status: { S: 'done' } };

it('a change of the keys or indexes of a table is rejected', async () => {
  const tables = dynaliteTables();
  await tables.declare([notesTable()]);
  await tables.call('PutItem', { TableName, Item: first });

  await tables.declare([notesTable()]);
  await expect(tables.declare([notesTable('tag')])).rejects.toThrow(
    'The keys or indexes of Notes have changed: restart to apply that.',
  );

  expect(await tables.call('Scan', { TableName, IndexName: 'by-status' })).toMatchObject({ Items: [first] });
});

it('a change of the keys of a table creates no other table', async () => {
  const tables = dynaliteTables();
  await tables.declare([notesTable()]);
  const visits = declaredTable('Visits', { id: 'N' }, ['id']);

  await expect(tables.declare([visits, notesTable('tag')])).rejects.toThrow('restart to apply that');

  expect(await tables.call('ListTables', {})).toEqual({ TableNames: [TableName] });
});

it('a table that DynamoDB would not create is rejected', async () => {
  const unordered = notesTable();
  unordered.properties.GlobalSecondaryIndexes?.[0]?.KeySchema.reverse();

  await expect(dynaliteTables().declare([unordered])).rejects.toThrow(
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  );
});

it("an exception that is none of dynalite's ends the process during a call", () => {
  const script = `
    import { dynaliteTables } from './bin/local-api/dynamodb/dynalite-tables.ts';
    const tables = dynaliteTables();
    setImmediate(() => { throw new Error('It is a bug.'); });
    for (let call = 0; call < 100; call += 1) {
      // There is no such table, which dynalite notices later than the exception.
      await tables.call('DescribeTable', { TableName: 'Notes' }).catch(({ message }) => console.log(message));
    }
  `;

  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });

  expect(stderr).toContain('Error: It is a bug.');
  expect([status, stdout]).toStrictEqual([1, '']);
});

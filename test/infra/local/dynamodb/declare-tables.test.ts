import { AbstractLevel } from 'abstract-level';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DynaliteTables } from '../../../../infra/local/dynamodb/dynalite-tables.ts';
import { openPets, petsTable } from '../../../support/dynamodb/pets-table.ts';

const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());

const TableName = 'Pets';
const bella = { id: { N: '1' }, status: { S: 'sold' }, tag: { S: 'dog' } };
const luna = { id: { N: '2' }, status: { S: 'sold' }, tag: { N: '7' } };

async function openWith(...items: readonly object[]): Promise<DynaliteTables> {
  const tables = await openPets();
  for (const Item of items) await tables.call('PutItem', { TableName, Item });
  return tables;
}

const scan = (tables: DynaliteTables, attribute: string) =>
  tables.call('Scan', { TableName, IndexName: `by-${attribute}` });

describe('declaring tables', () => {
  it('removes an index that is no longer declared', async () => {
    const tables = await openWith(bella);

    await tables.declare([petsTable(['tag'])]);

    await expect(scan(tables, 'status')).rejects.toMatchObject({ statusCode: 400 });
  });

  it('changes the projection of an index', async () => {
    const tables = await openWith(bella);
    const keysOnly = petsTable(['status']);
    const [index] = keysOnly.properties.GlobalSecondaryIndexes ?? [];
    Object.assign(index ?? {}, { Projection: { ProjectionType: 'KEYS_ONLY' } });

    await tables.declare([keysOnly]);

    const { id, status } = bella;
    expect(await scan(tables, 'status')).toMatchObject({ Items: [{ id, status }] });
    expect(await scan(tables, 'status')).not.toHaveProperty('Items.0.tag');
  });

  it('completes an interrupted rebuild', async () => {
    const tables = await openWith(bella);
    vi.spyOn(AbstractLevel.prototype, 'clear').mockRejectedValueOnce(new Error('Interrupted.'));
    await expect(tables.declare([petsTable(['tag'])])).rejects.toThrow('Interrupted.');

    await tables.declare([petsTable(['tag'])]);

    expect(await scan(tables, 'tag')).toMatchObject({ Items: [bella] });
  });

  it('leaves out an item that does not fit an index', async () => {
    const tables = await openWith(bella, luna);

    await tables.declare([petsTable(['status', 'tag'])]);

    expect(await scan(tables, 'tag')).toMatchObject({ Items: [bella] });
  });

  it('rejects a table that DynamoDB would not create', async () => {
    const tables = await openWith(bella);
    const unordered = petsTable(['status', 'tag']);
    unordered.properties.GlobalSecondaryIndexes?.[1]?.KeySchema.reverse();

    await expect(tables.declare([unordered])).rejects.toThrow(
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    );
    expect(await scan(tables, 'status')).toMatchObject({ Items: [bella] });
  });

  it('reports that keys cannot be changed', async () => {
    const tables = await openWith(bella);

    await tables.declare([petsTable(['status'], 'S')]);

    expect(await scan(tables, 'status')).toMatchObject({ Items: [bella] });
    expect(logged).toHaveBeenCalledExactlyOnceWith(
      "The keys of Pets can't be changed. Start with another data directory to use the new ones.",
    );
  });
});

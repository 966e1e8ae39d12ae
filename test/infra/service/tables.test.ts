import { describe, expect, it, vi } from 'vitest';
import { connectTo } from '../../../infra/service/tables.ts';
import { examplesOf } from '../../../shared/contract/example-parameters.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { pageQuery } from '../../../shared/paging/page-query.ts';
import { operations, tables } from '../../../shared/service.ts';
import { type Key, namesOf, type TableDefinition } from '../../../shared/tables/table.ts';
import { handlerOf } from '../../support/contract/own-operations.ts';
import { invoke } from '../../support/functions/invoke.ts';
import { shelfTable } from '../../support/tables/library.ts';

const byStatus = { partition: 'status', sort: 'id' } as const;

type Deployed = Pick<TableDefinition, 'key' | 'indexes' | 'keyTypes'>;

/** What is deployed: change it after the first deploy of a table, and after each step of changing an index. */
const deployed = {
  pets: { key: { partition: 'id' }, indexes: { byStatus }, keyTypes: { id: 'N', status: 'S' } },
  apiKeys: { key: { partition: 'keyHash' }, indexes: {}, keyTypes: { keyHash: 'S' } },
} as const satisfies Readonly<Record<string, Deployed>>;

const absent: Deployed = { key: { partition: 'absent' }, indexes: {}, keyTypes: {} };

const attributesOf = (key: Key, { keyTypes }: Deployed) => namesOf(key).map((name) => [name, keyTypes[name]]);

describe.each(Object.entries<Deployed>(deployed))('the table %s', (id, before) => {
  const declared: readonly TableDefinition[] = tables;
  const after = declared.find((table) => table.id === id) ?? absent;
  const { indexes }: Deployed = after;
  const created = Object.keys(indexes).filter((name) => !before.indexes[name]);
  const deleted = Object.keys(before.indexes).filter((name) => !indexes[name]);
  const kept = Object.keys(indexes).filter((name) => before.indexes[name]);

  it('keeps its key, because CloudFormation would replace it by an empty table', () => {
    expect(attributesOf(after.key, after)).toEqual(attributesOf(before.key, before));
  });

  it('can be updated, which creates or deletes only one index', () => {
    expect(created.concat(deleted).length).toBeLessThanOrEqual(1);
  });

  it('keeps the keys of its indexes, because DynamoDB cannot change an index', () => {
    const keysOf = (table: Deployed) =>
      kept.map((name) => attributesOf(table.indexes[name] ?? table.key, table));

    expect(keysOf(after)).toEqual(keysOf(before));
  });
});

const filters = Object.values<Operation>(operations).flatMap((operation) =>
  Object.keys(operation.parameters.query ?? {})
    .filter((name) => operation.method === 'GET' && !(name in pageQuery))
    .map((field) => ({ operation, field, handlerFile: handlerOf(operation) })),
);

it.each(filters)('the filter $field in $handlerFile uses an index that is deployed', async (filter) => {
  const { operation, field, handlerFile } = filter;
  const { path, query } = operation.parameters;
  for (const { id, nameVariable } of tables) vi.stubEnv(nameVariable, id);
  const { dynamodb } = await import('../../../shared/tables/dynamodb.ts');
  const send = vi.spyOn(dynamodb, 'send').mockResolvedValue({ $metadata: {} });
  const module = `../../../${handlerFile}`;
  const { handler } = await import(module);

  await invoke(handler, { pathParameters: examplesOf(path), query: `${field}=${examplesOf(query)[field]}` });

  const [{ input } = {}] = send.mock.lastCall ?? [];
  const unread = `Let ${handlerFile} select by ${field}.`;
  expect(input, unread).toMatchObject({ ExpressionAttributeNames: { '#name': field } });
  const { IndexName, TableName } = Object(input);
  const message = `Deploy ${IndexName} and add it to \`deployed\` in this file, before a filter uses it.`;
  const find = (all: readonly (readonly [string, Deployed])[]) => all.find(([id]) => id === TableName)?.[1];
  // A new table is created with its indexes.
  const { indexes } =
    find(Object.entries(deployed)) ?? find(tables.map((table) => [table.id, table])) ?? absent;
  // The table itself has no name of an index.
  expect([undefined, ...Object.keys(indexes)], message).toContain(IndexName);
});

it('a function may use every index, because a release may change the one that is queried', () => {
  const { byRoom } = shelfTable.indexes;
  const indexes = { byRoom, newByRoom: byRoom };
  const table = { ...shelfTable, indexes, tableArn: 'arn:shelves', tableName: 'shelves' };

  const { permissions } = connectTo([table], { shelves: { index: ['dynamodb:Query'] } });
  const allowed = permissions.filter(({ actions }) => actions.includes('dynamodb:Query'));
  expect(allowed.map(({ resource }) => resource)).toEqual([
    'arn:shelves/index/byRoom',
    'arn:shelves/index/newByRoom',
  ]);
});

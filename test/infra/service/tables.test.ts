import { describe, expect, it } from 'vitest';
import { accessTo } from '../../../infra/service/tables.ts';
import { Pet } from '../../../shared/contract/schemas/pet.ts';
import { petFilters, type TableDefinition, tables } from '../../../shared/tables/table-definitions.ts';

const byStatus = { status: 'S', id: 'N' } as const;

type Deployed = Pick<TableDefinition, 'key' | 'indexes'>;

/** What is deployed: change it after the first deploy of a table, and after each step of changing an index. */
const deployed = {
  pets: { key: { id: 'N' }, indexes: { byStatus } },
  apiKeys: { key: { keyHash: 'S' }, indexes: {} },
} as const satisfies Readonly<Record<string, Deployed>>;

describe.each(Object.entries<Deployed>(deployed))('the table %s', (id, before) => {
  const declared: Readonly<Record<string, TableDefinition | undefined>> = tables;
  const { key = {}, indexes = {} } = declared[id] ?? {};
  const created = Object.keys(indexes).filter((name) => !before.indexes[name]);
  const deleted = Object.keys(before.indexes).filter((name) => !indexes[name]);
  const kept = Object.keys(indexes).filter((name) => before.indexes[name]);

  it('keeps its key, because CloudFormation would replace it by an empty table', () => {
    expect(Object.entries(key)).toEqual(Object.entries(before.key));
  });

  it('can be updated, which creates or deletes only one index', () => {
    expect(created.concat(deleted).length).toBeLessThanOrEqual(1);
  });

  it('keeps the keys of its indexes, because DynamoDB cannot change an index', () => {
    const keysOf = (all: TableDefinition['indexes']) => kept.map((name) => Object.entries(all[name] ?? {}));

    expect(keysOf(indexes)).toEqual(keysOf(before.indexes));
  });
});

it.each(Object.entries(petFilters))(
  'the filter %s of the pets uses an index that is deployed',
  (_filter, index) => {
    const message = `Deploy ${index} and add it to \`deployed\` in this file, before a filter uses it.`;
    expect(Object.keys(deployed.pets.indexes), message).toContain(index);
  },
);

/** A key of the pets: the compiler rejects an attribute whose type is not that of its field. */
type PetKey = {
  readonly [Name in keyof Pet]?: Pet[Name] extends string | undefined
    ? 'S'
    : Pet[Name] extends bigint | number | undefined
      ? 'N'
      : never;
};

const indexKeys: readonly PetKey[] = Object.values(tables.pets.indexes);

it.each<PetKey>([tables.pets.key, ...indexKeys])(
  'the key %o of the pets has only attributes that are fields',
  (key) => {
    expect(Object.keys(Pet.entries)).toEqual(expect.arrayContaining(Object.keys(key)));
  },
);

it('a function may use every index, because a release may change the one that is queried', () => {
  const indexes = { byStatus, newByStatus: byStatus };
  const table = { ...tables.pets, indexes, id: 'pets', tableArn: 'arn:pets', tableName: 'pets' };

  const { permissions } = accessTo([table], { pets: { index: ['dynamodb:Query'] } });
  const allowed = permissions.filter(({ actions }) => actions.includes('dynamodb:Query'));
  expect(allowed.map(({ resource }) => resource)).toEqual([
    'arn:pets/index/byStatus',
    'arn:pets/index/newByStatus',
  ]);
});

import { describe, expect, it } from 'vitest';
import { accessTo } from '../../../infra/service/tables.ts';
import { examplePet } from '../../../shared/contract/operations.ts';
import { type Key, statusIndex, tables } from '../../../shared/tables/table-definitions.ts';

const byStatus = { status: 'S', id: 'N' } as const;

/** What is deployed: change it with each step of adding or changing an index. */
const deployed: Readonly<Record<string, Key>> = { byStatus };

describe('the indexes of the pets table', () => {
  const indexes: Readonly<Record<string, Key>> = tables.pets.indexes;
  const created = Object.keys(indexes).filter((name) => !deployed[name]);
  const deleted = Object.keys(deployed).filter((name) => !indexes[name]);
  const kept = Object.keys(indexes).filter((name) => deployed[name]);

  it('can replace the deployed ones in one update, which creates or deletes only one', () => {
    expect(created.concat(deleted).length).toBeLessThanOrEqual(1);
  });

  it('keep their keys, because DynamoDB cannot change an index', () => {
    expect(kept.map((name) => indexes[name])).toEqual(kept.map((name) => deployed[name]));
  });

  it('are queried only once they are filled', () => {
    expect(created).not.toContain(statusIndex);
  });

  it.each([tables.pets.key, ...Object.values(indexes)].flatMap(Object.entries))(
    'have the key %s with the type %s of the field',
    (name, type) => {
      const fields: Readonly<Record<string, unknown>> = examplePet;

      expect(type).toBe(typeof fields[name] === 'string' ? 'S' : 'N');
    },
  );
});

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

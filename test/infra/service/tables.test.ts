import { describe, expect, it, vi } from 'vitest';
import { accessTo } from '../../../infra/service/tables.ts';
import { examplePet } from '../../../shared/contract/operations.ts';
import { type Key, statusIndex, tables } from '../../../shared/tables/table-definitions.ts';
import { readableTemplate } from '../../support/infra/template.ts';

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
  const table = { ...tables.pets, id: 'pets', tableArn: 'arn:pets', tableName: 'pets' };
  const declared = [{ ...table, indexes: { byStatus, newByStatus: byStatus } }];

  expect(accessTo(declared, { pets: { index: ['dynamodb:Query'] } })).toEqual({
    permissions: [
      { actions: [], resource: 'arn:pets' },
      { actions: ['dynamodb:Query'], resource: 'arn:pets/index/byStatus' },
      { actions: ['dynamodb:Query'], resource: 'arn:pets/index/newByStatus' },
    ],
    environment: { PETS_TABLE: 'pets' },
  });
});

describe('a table that is added to the map', async () => {
  const toys = { nameVariable: 'TOYS_TABLE', key: { owner: 'S', id: 'N' }, indexes: { byStatus } } as const;
  vi.doMock('../../../shared/tables/table-definitions.ts', () => ({
    statusIndex,
    tables: { ...tables, toys },
  }));
  vi.resetModules();
  const { productionTemplate } = await import('../../support/infra/synthesize.ts');
  const { propertiesOf, outputs } = readableTemplate(productionTemplate());

  it('is declared with its keys and with indexes of all attributes', () => {
    expect(propertiesOf('AWS::DynamoDB::GlobalTable')['TablesToys']).toMatchObject({
      KeySchema: [
        { AttributeName: 'owner', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      GlobalSecondaryIndexes: [{ IndexName: 'byStatus', Projection: { ProjectionType: 'ALL' } }],
    });
    expect(outputs).toMatchObject({ ToysTableName: 'TablesToys' });
  });

  it('is watched, like its index', () => {
    const { MonitoringAlarmsTablesThrottledtoys } = propertiesOf('AWS::CloudWatch::Alarm');

    const index = [
      { Name: 'GlobalSecondaryIndexName', Value: 'byStatus' },
      { Name: 'TableName', Value: 'TablesToys' },
    ];
    expect(JSON.stringify(MonitoringAlarmsTablesThrottledtoys)).toContain(JSON.stringify(index));
  });

  it('is unknown to the functions that do not use it', () => {
    const functions = ['AWS::Lambda::Function', 'AWS::IAM::Role'].map((type) => propertiesOf(type));

    expect(JSON.stringify(functions)).not.toMatch(/toys/i);
  });
});

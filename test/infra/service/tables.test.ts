import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stages } from '../../../infra/settings/stages.ts';
import { examplePet } from '../../../shared/contract/operations.ts';
import { statusIndex, type TableDefinition, tables } from '../../../shared/tables/table-definitions.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { readableTemplate } from '../../support/infra/template.ts';

const definitions = '../../../shared/tables/table-definitions.ts';

const byStatus = { status: 'S', id: 'N' } as const;

/** The indexes of the pets table, and the one that is queried. */
interface Step extends Pick<TableDefinition, 'indexes'> {
  readonly statusIndex: string;
}

/** What is deployed: change it with each step of adding or changing an index. */
const deployed: Step = { indexes: { byStatus }, statusIndex: 'byStatus' };

/** Changes definitions for the modules that are imported next. */
function mockDefinitions(changed: object): void {
  vi.doMock(definitions, async (importOriginal) => ({ ...(await importOriginal<object>()), ...changed }));
  vi.resetModules();
}

const mockIndexes = ({ indexes, statusIndex: queried }: Step) =>
  mockDefinitions({ tables: { ...tables, pets: { ...tables.pets, indexes } }, statusIndex: queried });

/** Returns the indexes in the template of a step, as JSON, by name. */
async function templateOf(step: Step): Promise<Map<string, string>> {
  mockIndexes(step);
  const { declareTables } = await import('../../../infra/service/tables.ts');
  const app = new App({ outdir: temporaryDirectory(onTestFinished) });
  const stack = new Stack(app, 'Stack');
  declareTables(stack, stages.staging, {});
  const tables = Object.values(Template.fromStack(stack).findResources('AWS::DynamoDB::GlobalTable'));
  const indexes: readonly { IndexName: string }[] = tables.flatMap(
    ({ Properties }) => Properties.GlobalSecondaryIndexes ?? [],
  );
  return new Map(indexes.map((index) => [index.IndexName, JSON.stringify(index)]));
}

/** Returns why the template of a step can't be deployed after that of another. */
async function problemsOf(previous: Step, next: Step): Promise<string[]> {
  const [before, after] = [await templateOf(previous), await templateOf(next)];
  const created = [...after.keys()].filter((name) => !before.has(name));
  const deleted = [...before.keys()].filter((name) => !after.has(name));
  const changed = [...after].filter(([name, index]) => before.has(name) && before.get(name) !== index);
  return [
    ...changed.map(([name]) => `DynamoDB can't change ${name}: create another index.`),
    ...(created.length + deleted.length > 1 ? ['An update creates or deletes only one index.'] : []),
    ...(created.includes(next.statusIndex) ? ['A new index is not filled: query it later.'] : []),
  ];
}

describe('the indexes of the pets table', () => {
  afterEach(() => {
    vi.doUnmock(definitions);
  });

  it('project all attributes', async () => {
    expect((await templateOf(deployed)).get('byStatus')).toContain('"Projection":{"ProjectionType":"ALL"}');
  });

  it('can replace the deployed ones in one update', async () => {
    expect(await problemsOf(deployed, { indexes: tables.pets.indexes, statusIndex })).toStrictEqual([]);
  });

  it.each<[title: string, previous: Step, next: Step, problems: readonly string[]]>([
    ['created', deployed, { indexes: { byStatus, newByStatus: byStatus }, statusIndex: 'byStatus' }, []],
    [
      'replaced by one update',
      deployed,
      { indexes: { newByStatus: byStatus }, statusIndex: 'newByStatus' },
      ['An update creates or deletes only one index.', 'A new index is not filled: query it later.'],
    ],
    [
      'changed',
      deployed,
      { indexes: { byStatus: { name: 'S', id: 'N' } }, statusIndex: 'byStatus' },
      ["DynamoDB can't change byStatus: create another index."],
    ],
  ])('reports whether an index can be %s', async (_title, previous, next, problems) => {
    expect(await problemsOf(previous, next)).toStrictEqual(problems);
  });

  it('may both be queried while a release shifts traffic from one to the other', async () => {
    mockIndexes({ indexes: { byStatus, newByStatus: byStatus }, statusIndex: 'newByStatus' });
    const { productionTemplate } = await import('../../support/infra/synthesize.ts');

    const roles = Template.fromJSON(Object(productionTemplate())).findResources('AWS::IAM::Role');

    const queries = Object.values(roles).filter((role) => JSON.stringify(role).includes('dynamodb:Query'));
    expect(queries.map((role) => JSON.stringify(role).match(/\/index\/\w+/g))).toStrictEqual([
      ['/index/byStatus', '/index/newByStatus'],
    ]);
  });
});

const keysOfPets = [tables.pets.key, ...Object.values(tables.pets.indexes)].flatMap(Object.entries);

it.each(keysOfPets)('the key attribute %s of the pets table has the type %s of the field', (name, type) => {
  const fields: Readonly<Record<string, unknown>> = examplePet;

  expect(type).toBe(typeof fields[name] === 'string' ? 'S' : 'N');
});

describe('a table that is added to the map', async () => {
  const toys = { nameVariable: 'TOYS_TABLE', key: { owner: 'S', id: 'N' }, indexes: { byStatus } } as const;
  mockDefinitions({ tables: { ...tables, toys } });
  const { productionTemplate } = await import('../../support/infra/synthesize.ts');
  vi.doUnmock(definitions);
  const { propertiesOf, outputs } = readableTemplate(productionTemplate());

  it('is declared with its keys, and named in an output', () => {
    expect(propertiesOf('AWS::DynamoDB::GlobalTable')['TablesToys']).toMatchObject({
      KeySchema: [
        { AttributeName: 'owner', KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
    });
    expect(outputs).toMatchObject({ ToysTableName: 'TablesToys' });
  });

  it('is watched, like its index', () => {
    const { MonitoringAlarmsTablesThrottled } = propertiesOf('AWS::CloudWatch::Alarm');

    const dimensions = JSON.stringify(MonitoringAlarmsTablesThrottled).match(/"Dimensions":\[[^\]]*Toys/g);
    // Reads and writes of each.
    expect(dimensions).toHaveLength(4);
  });

  it('is unknown to the functions that do not use it', () => {
    const functions = ['AWS::Lambda::Function', 'AWS::IAM::Role'].map((type) => propertiesOf(type));

    expect(JSON.stringify(functions)).not.toMatch(/toys/i);
  });

  it('can be restored', () => {
    const restoredTables = { pets: 'old-pets', toys: 'old-toys' };

    const restored = readableTemplate(productionTemplate({ restoredTables }));

    expect(restored.outputs).toMatchObject({ ToysTableName: 'old-toys' });
    expect(Object.keys(restored.propertiesOf('AWS::DynamoDB::GlobalTable'))).toEqual(['TablesApiKeys']);
  });
});

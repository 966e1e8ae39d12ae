import { App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { stages } from '../../../infra/settings/stages.ts';
import { petsTable } from '../../../shared/tables/table-definitions.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';

const definitions = '../../../shared/tables/table-definitions.ts';

const byStatus = { name: 'byStatus', partitionKey: 'status', sortKey: 'id' };
const newByStatus = { ...byStatus, name: 'newByStatus' };

/** The indexes, and the one that is queried. */
interface Step {
  readonly indexes: readonly (typeof byStatus)[];
  readonly statusIndex: typeof byStatus;
}

/** What is deployed: change it with each step of adding or changing an index. */
const deployed: Step = { indexes: [byStatus], statusIndex: byStatus };

/** Changes the indexes for the modules that are imported next. */
function mockIndexes(step: Step): void {
  vi.doMock(definitions, async (importOriginal) => ({
    ...(await importOriginal<object>()),
    petsTable: { ...petsTable, ...step },
  }));
  vi.resetModules();
}

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
    ...(created.includes(next.statusIndex.name) ? ['A new index is not filled: query it later.'] : []),
  ];
}

describe('the indexes of the pets table', () => {
  afterEach(() => {
    vi.doUnmock(definitions);
  });

  it('project all attributes', async () => {
    expect((await templateOf(petsTable)).get('byStatus')).toContain('"Projection":{"ProjectionType":"ALL"}');
  });

  it('can replace the deployed ones in one update', async () => {
    expect(await problemsOf(deployed, petsTable)).toStrictEqual([]);
  });

  it.each<[title: string, previous: Step, next: Step, problems: readonly string[]]>([
    ['created', deployed, { indexes: [byStatus, newByStatus], statusIndex: byStatus }, []],
    [
      'replaced by one update',
      deployed,
      { indexes: [newByStatus], statusIndex: newByStatus },
      ['An update creates or deletes only one index.', 'A new index is not filled: query it later.'],
    ],
    [
      'changed',
      deployed,
      { indexes: [{ ...byStatus, partitionKey: 'name' }], statusIndex: byStatus },
      ["DynamoDB can't change byStatus: create another index."],
    ],
  ])('reports whether an index can be %s', async (_title, previous, next, problems) => {
    expect(await problemsOf(previous, next)).toStrictEqual(problems);
  });

  it('may both be queried while a release shifts traffic from one to the other', async () => {
    mockIndexes({ indexes: [byStatus, newByStatus], statusIndex: newByStatus });
    const { productionTemplate } = await import('../../support/infra/synthesize.ts');

    const roles = Template.fromJSON(Object(productionTemplate())).findResources('AWS::IAM::Role');

    const queries = Object.values(roles).filter((role) => JSON.stringify(role).includes('dynamodb:Query'));
    expect(queries.map((role) => JSON.stringify(role).match(/\/index\/\w+/g))).toStrictEqual([
      ['/index/byStatus', '/index/newByStatus'],
    ]);
  });

  it('have keys of the same types as the fields', async () => {
    const byCategory = { name: 'byCategory', partitionKey: 'categoryId', sortKey: 'id' };
    mockIndexes({ indexes: [byStatus, byCategory], statusIndex: byStatus });
    const { productionTemplate } = await import('../../support/infra/synthesize.ts');

    Template.fromJSON(Object(productionTemplate())).hasResourceProperties('AWS::DynamoDB::GlobalTable', {
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'N' },
        { AttributeName: 'status', AttributeType: 'S' },
        { AttributeName: 'categoryId', AttributeType: 'N' },
      ],
    });
  });
});

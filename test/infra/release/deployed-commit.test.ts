import { App, Duration, Stack } from 'aws-cdk-lib';
import { AttributeType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { expect, it } from 'vitest';
import { recordCommit } from '../../../infra/release/deployed-commit.ts';
import type { TableDefinition } from '../../../shared/tables/table.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { resourceOf } from '../../support/infra/template.ts';
import { shelfTable } from '../../support/tables/library.ts';

interface Release {
  readonly commit: string;
  readonly code: string;
  readonly seconds: number;
  readonly table: TableDefinition;
  readonly restored: string;
}

/** Synthesizes a stack with a function and a table, and returns what its release records. */
function recorded({
  commit = 'good',
  code = 'old',
  seconds = 1,
  table = shelfTable,
  restored = '',
}: Partial<Release> = {}) {
  const app = new App({
    outdir: temporaryDirectory(),
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
  });
  const stack = new Stack(app, 'Service');
  const handler = new LambdaFunction(stack, 'Handler', {
    code: Code.fromInline(code),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_24_X,
    timeout: Duration.seconds(seconds),
  });
  handler.addAlias('live');
  const { tableArn, tableName } = new TableV2(stack, 'Things', {
    partitionKey: { name: table.key.partition, type: AttributeType.NUMBER },
  });
  const tables = [{ ...table, tableArn, tableName: restored || tableName }];
  recordCommit(stack, 'production', tables, commit);

  const { Resources } = app.synth().getStackByName('Service').template;
  return `${resourceOf(Resources, 'AWS::SSM::Parameter').Properties['Value']}`.split(' ');
}

const [, template, tables] = recorded();

it('records the commit with two digests', () => {
  expect(recorded().join(' ')).toMatch(/^good [0-9a-f]{12} [0-9a-f]{12}$/);
});

it('has the same digests if only the code of a function differs', () => {
  expect(recorded({ commit: 'bad', code: 'new' })).toEqual(['bad', template, tables]);
});

it("has another digest if a function's settings differ", () => {
  const [, changed, sameTables] = recorded({ seconds: 2 });

  expect(changed).not.toBe(template);
  expect(sameTables).toBe(tables);
});

it.each<[title: string, change: Partial<Release>]>([
  ['has another key', { table: { ...shelfTable, key: { partition: 'room' } } }],
  ['has a key of another type', { table: { ...shelfTable, keyTypes: { id: 'S', room: 'S' } } }],
  ['is used under another name', { restored: 'PetStore-production-restored-things' }],
])('has another digest of tables if one %s', (_title, change) => {
  const [, , changed] = recorded(change);

  expect(changed).not.toBe(tables);
});

it('has the same digest of tables if an index differs', () => {
  const table = { ...shelfTable, indexes: { byRoom: { partition: 'room' } } };

  expect(recorded({ table })[2]).toBe(tables);
});

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { CfnAlias, Code, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { App, Duration, Stack } from 'aws-cdk-lib/core';
import { expect, it } from 'vitest';
import { git } from '../../../bin/cli/test/support/git.ts';
import { recordRelease } from '../../../infra/release/release-parameter.ts';
import { parseRecord } from '../../../infra/release/release-record.ts';
import type { TableDefinition } from '../../../shared/tables/table.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { resourceOf } from '../../support/infra/template.ts';
import { shelfTable } from '../../support/tables/library.ts';

interface Release {
  readonly commit: string;
  readonly code: string;
  readonly seconds: number;
  readonly table: TableDefinition;
  readonly isFixForward: boolean;
}

/** Synthesizes a stage with a function, and returns its template with the value of the record. */
function synthesized({
  commit = '0a1b0a1b',
  code = 'old',
  seconds = 1,
  table = shelfTable,
  isFixForward = false,
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
  const alias = handler.addAlias('live');
  new LambdaDeploymentGroup(stack, 'Release', { alias });
  const { defaultChild } = alias.node;
  if (isFixForward && defaultChild instanceof CfnAlias) delete defaultChild.cfnOptions.updatePolicy;
  recordRelease(stack, { stage: 'production', tables: [table], functions: [handler], commit });

  const { template } = app.synth().getStackByName('Service');
  return { template, value: resourceOf(template.Resources, 'AWS::SSM::Parameter').Properties['Value'] };
}

/** Returns what a release records, once CloudFormation knows the function's name and version. */
function recorded(release?: Partial<Release>) {
  const { value } = synthesized(release);
  const { 'Fn::Join': [separator, parts] = ['', []] } = Object(value);
  const text = parts
    .map((part: unknown) =>
      typeof part === 'string' ? part : 'Ref' in Object(part) ? 'Service-Handler-1A' : '7',
    )
    .join(separator);
  return parseRecord(text);
}

const first = recorded();

it('the git add --all that it advises leaves out a .env file', () => {
  const directory = temporaryDirectory();
  copyFileSync('.gitignore', join(directory, '.gitignore'));
  git(directory, 'init', '--quiet');

  expect(git(directory, 'check-ignore', '.env')).toBe('.env\n');
});

it('records the commit, three digests and the version of each function', () => {
  const digest = expect.stringMatching(/^[0-9a-f]{12}$/);

  expect(first).toEqual({
    commit: '0a1b0a1b',
    template: digest,
    tables: digest,
    content: digest,
    versions: { 'Service-Handler-1A': '7' },
  });
});

it('takes the version from what CloudFormation publishes', () => {
  const { template, value } = synthesized();
  const versions = Object.keys(template.Resources).filter((id) => id.startsWith('HandlerCurrentVersion'));

  expect(versions).toHaveLength(1);
  expect(JSON.stringify(value)).toContain(`{"Fn::GetAtt":["${versions[0]}","Version"]}`);
});

it('has another digest of the content only if only the code of a function differs', () => {
  const { content, ...others } = recorded({ code: 'new' });

  expect(content).not.toBe(first.content);
  expect(others).toEqual({ ...first, content: undefined });
});

it('has the same digests for another commit with the same content', () => {
  expect(recorded({ commit: '0c1d0c1d' })).toEqual({ ...first, commit: '0c1d0c1d' });
});

it('has the same digests if it is deployed without a canary', () => {
  expect(recorded({ isFixForward: true })).toEqual(first);
});

it("has another digest of the template if a function's settings differ", () => {
  const changed = recorded({ seconds: 2 });

  expect(changed.template).not.toBe(first.template);
  expect(changed.tables).toBe(first.tables);
});

it.each<[title: string, change: Partial<Release>]>([
  ['has another key', { table: { ...shelfTable, key: { partition: 'room' } } }],
  ['has a key of another type', { table: { ...shelfTable, keyTypes: { id: 'S', room: 'S' } } }],
])('has another digest of tables if one %s', (_title, change) => {
  expect(recorded(change).tables).not.toBe(first.tables);
});

it('has the same digest of tables if an index differs', () => {
  const table = { ...shelfTable, indexes: { byRoom: { partition: 'room' } } };

  expect(recorded({ table }).tables).toBe(first.tables);
});

import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSources } from '../../../../infra/local/reload/sources.ts';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';
import { synthesize } from '../../../support/infra/synthesize.ts';

const stack = synthesize('staging');
afterAll(stack.dispose);
const sources = openSources(temporaryDirectory());
beforeAll(() => sources.build(), 120_000);

it('functions run the same code, in the same place, from a synthesis and from a save', () => {
  const deployment = readDeployment(stack);

  const saved = sources.withBundles(deployment, 0);
  const synthesized = sources.withBundles(deployment, Number.POSITIVE_INFINITY);
  expect(saved.functions.map(({ codeDirectory }) => codeDirectory)).toEqual(
    deployment.functions.map(() => expect.stringMatching(/code\.[0-9a-f]{64}$/)),
  );
  expect(saved).toEqual(synthesized);
});

it.each([
  ['a construct', 'infra/service/tables.ts', 'the app'],
  ['what constructs and handlers share', 'shared/tables/table-definitions.ts', 'both'],
  ['the settings of npm', 'package.json', 'both'],
  ['the settings of cdk', 'cdk.json', 'the app'],
  ['a file that is not a module', 'bin/node-24.mjs', 'the app'],
  ['a handler', 'functions/get-pet.ts', 'functions'],
  ['what only handlers use', 'shared/http/json-body.ts', 'functions'],
  ['a text of the reference', 'infra/reference/guide.md', 'the reference'],
  ['a temporary file of vim', 'infra/service/4913', 'nothing'],
  ['a temporary file of sed', 'infra/service/sedA1b2C3', 'nothing'],
  ['a temporary file of JetBrains', 'infra/service/tables.ts___jb_tmp___', 'nothing'],
  ['a temporary file of VS Code', 'infra/service/tables.ts.vsctmp', 'nothing'],
  ['a temporary file of perl', 'infra/reference/XXxZ8g3D', 'nothing'],
])('%s, %s, is read by %s', (_title, file, readers) => {
  const { app, functions, any } = sources.readersOf([file]);

  expect(app).toEqual(['the app', 'both'].includes(readers) ? [file] : []);
  expect(functions).toEqual(['functions', 'both'].includes(readers) ? [file] : []);
  expect([...any]).toEqual(readers === 'nothing' ? [] : [file]);
});

it.each([
  ['what was invoked last', 'functions/list-pets.ts', ['functions/list-pets.ts']],
  [
    'all handlers, before any was invoked',
    undefined,
    ['functions/create-pet.ts', 'functions/get-pet.ts', 'functions/list-pets.ts'],
  ],
])('a save of a shared module first builds %s', async (_title, lastInvoked, first) => {
  const { value } = await sources.buildBundles(['shared/http/api-handler.ts'], lastInvoked).next();

  expect([...value.keys()].toSorted()).toEqual(first);
});

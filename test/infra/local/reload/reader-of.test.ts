import { beforeAll, expect, it } from 'vitest';
import { liveProject } from '../../../../bin/local/live-project.ts';
import { type SourceBuild, sourceBuilder } from '../../../../infra/local/reload/build-sources.ts';
import { readerOf } from '../../../../infra/local/reload/reader-of.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

const directory = temporaryDirectory();
let built: SourceBuild;
beforeAll(async () => {
  built = await sourceBuilder(liveProject, directory)();
}, 120_000);

it.each([
  ['a construct', 'infra/service/tables.ts', 'stack'],
  ['what constructs and handlers share', 'shared/service.ts', 'stack'],
  ['the settings of npm', 'package.json', 'stack'],
  ['the settings of TypeScript', 'tsconfig.json', 'stack'],
  ['a file that is not a module', 'bin/node-24.mjs', 'stack'],
  ['a handler', 'functions/list-pets.ts', 'functions'],
  ['what only handlers use', 'shared/http/json-body.ts', 'functions'],
  ['a text of the reference', 'infra/reference/guide.md', 'requests'],
  ['a command', 'bin/export.ts', undefined],
])('%s, %s, is read by: %s', (_title, file, reader) => {
  expect(readerOf(file, liveProject, [built])).toBe(reader);
});

it.each([
  ['added', [[], ['functions/new.ts']]],
  ['removed', [['functions/new.ts'], []]],
])('the stack may read a handler that was %s', (_how, handlers) => {
  const builds = handlers.map((files) => ({ ...built, bundles: new Map(files.map((file) => [file, ''])) }));

  expect(readerOf('functions/new.ts', liveProject, builds)).toBe('stack');
});

it('a bundle whose contents are the same stays in its place', async () => {
  const again = await sourceBuilder(liveProject, directory)();

  expect(built.bundles.get('functions/list-pets.ts')).toContain('list-pets');
  expect(again.bundles).toEqual(built.bundles);
});

import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFile } from '../support/e2e/temporary-file.ts';
import { runCommand } from '../support/local/command-process.ts';
import { ProjectCopy } from '../support/local/project-copy.ts';

const compareWith = (file: string) => runCommand('bin/breaking-changes.ts', [file]);

it('lists what was removed or is now required, but no other additions', async () => {
  const earlier = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const { paths, components } = earlier;
  paths['/pets'].delete = paths['/pets'].get;
  delete paths['/pets/{petId}'];
  components.schemas.NewPet.required = ['name'];
  delete components.schemas.NewPet.properties.status;
  components.schemas.Pet.properties.unforeseen = { type: 'string' };
  components.schemas.Pet.required.push('unforeseen');
  const file = temporaryFile('openapi.json');
  writeFileSync(file, JSON.stringify(earlier));

  const { stdout, exitCode } = await compareWith(file);

  const media = 'content application/json schema';
  expect(stdout.split('\n')).toStrictEqual([
    'remove paths /pets delete',
    `remove paths /pets get responses 200 ${media} items properties unforeseen`,
    `remove paths /pets get responses 200 ${media} items required 4`,
    `add paths /pets post requestBody ${media} required 1`,
    `remove paths /pets post responses 201 ${media} properties unforeseen`,
    `remove paths /pets post responses 201 ${media} required 4`,
    '',
  ]);
  expect(exitCode).toBe(1);
});

it.each<[change: string, before: object, components: object, lines: readonly string[]]>([
  [
    'another scheme',
    { security: [{ apiKey: [] }] },
    { apiKey: { type: 'http', scheme: 'basic', description: 'Another text.' } },
    ['replace components securitySchemes apiKey scheme'],
  ],
  ['no scheme before', { security: undefined }, {}, ['add security']],
  [
    'a scheme of another name',
    { security: [{ token: [] }] },
    { token: { type: 'http', scheme: 'bearer' } },
    ['remove components securitySchemes token', 'remove security 0 token', 'add security 0 apiKey'],
  ],
])('lists that clients authenticate differently: %s', async (_change, before, securitySchemes, lines) => {
  const earlier = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const file = temporaryFile('openapi.json');
  writeFileSync(
    file,
    JSON.stringify({ ...earlier, ...before, components: { ...earlier.components, securitySchemes } }),
  );

  const { stdout, exitCode } = await compareWith(file);

  expect(stdout.split('\n').filter(Boolean).sort()).toStrictEqual([...lines].sort());
  expect(exitCode).toBe(1);
});

describe('an operation', () => {
  const operation = { operationId: 'deletePets', responses: { 204: { description: 'Deleted.' } } };
  const clock = new URL('../support/setup/clock.mjs', import.meta.url);
  const environment = { ...process.env, NODE_OPTIONS: `--import ${clock}?2027-03-01T12:00:00Z` };

  /** Lists the changes on 1 March 2027, at noon, with DELETE /pets as it was and as it is. */
  async function changes(before: object | undefined, after: object | undefined) {
    const project = new ProjectCopy();
    onTestFinished(() => project.remove());
    const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
    const write = (file: string, described: object | undefined) => {
      document.paths['/pets'].delete = described && { ...operation, ...described };
      writeFileSync(project.path(file), JSON.stringify(document));
    };
    write('before.json', before);
    write('openapi.json', after);
    const { stdout } = await runCommand('bin/breaking-changes.ts', ['before.json'], {
      environment,
      project: project.directory,
    });
    return stdout;
  }
  const until = (sunset: string) => ({ deprecated: true, 'x-sunset': sunset });
  const removed = 'remove paths /pets delete\n';

  it.each<[string, object | undefined, object | undefined, string]>([
    ['may be removed from its sunset on', until('2027-03-01T12:00:00Z'), undefined, ''],
    ['may not be removed before its sunset', until('2027-03-01T13:00:00Z'), undefined, removed],
    ['may not be removed without a sunset', {}, undefined, removed],
    ['may end in a year', {}, until('2028-03-02T00:00:00Z'), ''],
    ['may not end within a year', {}, until('2028-03-01T00:00:00Z'), 'add paths /pets delete x-sunset\n'],
    ['may not end in the past', {}, until('2026-12-31T00:00:00Z'), 'add paths /pets delete x-sunset\n'],
    [
      'may not end earlier than announced',
      until('2030-01-02T00:00:00Z'),
      until('2030-01-01T00:00:00Z'),
      'replace paths /pets delete x-sunset\n',
    ],
    ['may end later than announced', until('2027-04-01T00:00:00Z'), until('2027-05-01T00:00:00Z'), ''],
    ['may stay after all', until('2027-04-01T00:00:00Z'), {}, ''],
  ])('%s', async (_title, before, after, expected) => {
    expect(await changes(before, after)).toBe(expected);
  });
});

it('prints nothing if nothing has changed', async () => {
  expect(await compareWith('openapi.json')).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
});

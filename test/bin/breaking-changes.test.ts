import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFile } from '../support/e2e/temporary-file.ts';
import { runCommand } from '../support/local/command-process.ts';

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

it('prints nothing if nothing has changed', async () => {
  expect(await compareWith('openapi.json')).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
});

import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFile } from '../support/e2e/temporary-file.ts';
import { runCommand } from '../support/local/command-process.ts';

const compareWith = (file: string) => runCommand('bin/breaking-changes.ts', [file]);

it('lists what was removed or is now required, but no other additions', async () => {
  const earlier = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const { paths, components } = earlier;
  const { NewPet, Pet } = components.schemas;
  paths['/pets'].delete = paths['/pets'].get;
  delete paths['/pets/{petId}'];
  NewPet.required = ['name'];
  delete NewPet.properties.status;
  delete Pet.properties.status;
  Pet.properties.unforeseen = { type: 'string' };
  Pet.required = ['name', 'unforeseen'];
  const file = temporaryFile('openapi.json');
  writeFileSync(file, JSON.stringify(earlier));

  const { stdout, exitCode } = await compareWith(file);

  const media = 'content application/json schema';
  const lines = stdout.split('\n').filter((line) => !/responses .+ required \d$/.test(line));
  expect(lines).toStrictEqual([
    'remove paths /pets delete',
    `remove paths /pets get responses 200 ${media} items properties unforeseen`,
    `add paths /pets post requestBody ${media} required 1`,
    `remove paths /pets post responses 201 ${media} properties unforeseen`,
    '',
  ]);
  expect(exitCode).toBe(1);
});

it('prints nothing if nothing has changed', async () => {
  expect(await compareWith('openapi.json')).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
});

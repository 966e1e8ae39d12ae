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
  const file = temporaryFile('openapi.json');
  writeFileSync(file, JSON.stringify(earlier));

  const { stdout, exitCode } = await compareWith(file);

  expect(stdout.split('\n')).toStrictEqual([
    'remove paths /pets delete',
    'add paths /pets post requestBody content application/json schema required 1',
    '',
  ]);
  expect(exitCode).toBe(1);
});

it('prints nothing if nothing has changed', async () => {
  expect(await compareWith('openapi.json')).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
});

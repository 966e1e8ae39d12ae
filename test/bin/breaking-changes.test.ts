import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { temporaryFile } from '../support/e2e/temporary-file.ts';
import { runCommand } from '../support/local/command-process.ts';

const { paths, components, ...rest } = JSON.parse(readFileSync('openapi.json', 'utf8'));
const { '/pets': pets, '/pets/{petId}': pet } = paths;
const { NewPet, Pet } = components.schemas;
const note = { type: 'string' };

/** Compares openapi.json with an earlier version. */
function compareWith(earlierPaths: object, earlierSchemas: object) {
  const file = temporaryFile('openapi.json');
  const schemas = { ...components.schemas, ...earlierSchemas };
  const earlier = { ...rest, paths: earlierPaths, components: { ...components, schemas } };
  writeFileSync(file, JSON.stringify(earlier));
  return runCommand('bin/breaking-changes.ts', [file]);
}

it('lists what an API has removed, or requires in addition', async () => {
  const { stdout, exitCode } = await compareWith(
    { ...paths, '/pets/{petId}': { ...pet, delete: pet.get } },
    {
      NewPet: { ...NewPet, required: ['name'] },
      Pet: { ...Pet, properties: { ...Pet.properties, note }, required: [...Pet.required, 'note'] },
    },
  );

  const lines = stdout.trim().split('\n');
  expect(lines.filter((line) => !line.includes('required 4'))).toStrictEqual([
    expect.stringMatching(/^remove paths \/pets get responses 200 .+ properties note$/),
    expect.stringMatching(/^add paths \/pets post requestBody .+ required 1$/),
    expect.stringMatching(/^remove paths \/pets post responses 201 .+ properties note$/),
    'remove paths /pets/{petId} delete',
    expect.stringMatching(/^remove paths \/pets\/{petId} get responses 200 .+ properties note$/),
  ]);
  expect(exitCode).toBe(1);
});

it('does not list additions that clients may ignore', async () => {
  const { status: _optional, ...required } = NewPet.properties;
  const { status: _added, ...before } = Pet.properties;

  const outcome = await compareWith(
    { '/pets': pets },
    {
      NewPet: { ...NewPet, properties: required },
      Pet: { ...Pet, properties: before, required: Object.keys(before) },
    },
  );

  expect(outcome).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
});

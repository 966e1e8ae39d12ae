import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { exampleNewPet } from '../../../shared/pets/operations.ts';
import { callsOf } from '../../reference/client-samples.ts';
import { pageGuide } from '../../reference/page-guide.ts';
import { samples } from '../reference-samples.ts';

const newPet = { ...exampleNewPet, categoryId: 9223372036854775807n };
const read = (file: string) => readFileSync(file, 'utf8');

// Those of README.md and of the reference: otherwise a reader who tries both gets a 422.
it.each([
  ['bin/client/README.md', 'order-4711'],
  ['bin/client/package/pet-store-client.ts', 'order-4712'],
  ['bin/client/reference-samples.ts', 'order-4712'],
])('the samples of %s have the Idempotency-Key of other samples with the same body', (file, key) => {
  expect([...new Set(read(file).match(/order-\d+/g))]).toEqual([key]);
});

it('the program of bin/client/README.md creates the example pet', () => {
  expect(read('bin/client/README.md')).toContain(`const bella = ${inspect(newPet)};\n`);
});

it('the reference shows the program of the client', () => {
  expect(pageGuide({ baseUrl: 'https://pets.example/v1' })).toContain(samples.program);
});

it.each(Object.entries(samples.calls))(
  'the reference shows how the client calls %s',
  (operationId, source) => {
    expect(callsOf(operationId)).toContainEqual({ lang: 'ts', label: 'TypeScript', source });
  },
);

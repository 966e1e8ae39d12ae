import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet } from '../../../shared/pets/operations.ts';

const newPet = { ...exampleNewPet, categoryId: 9223372036854775807n };

/** The Idempotency-Keys in a text. */
const keysIn = (text: string) => [...new Set(text.match(/order-\d+/g))];

// Otherwise a reader who tries both gets a 422.
it('no two samples have one Idempotency-Key with different bodies', () => {
  const withLargeCategory = ['README.md', 'requests.http'];
  const withExample = [
    'shared/pets/operations.ts',
    'shared/contract/idempotency-key.ts',
    'bin/reference/page-guide.md',
  ];
  const keysOf = (files: readonly string[]) => files.flatMap((file) => keysIn(readFileSync(file, 'utf8')));

  expect(new Set(keysOf(withLargeCategory))).toEqual(new Set(['order-4711']));
  expect(new Set(keysOf(withExample))).toEqual(new Set(['order-4712']));
});

it.each([
  ['README.md', `-d '${stringifyJson(newPet)}'\n`],
  ['requests.http', `\n\n${stringifyJson(newPet)}\n`],
])('the create sample of %s sends the example pet', (file, sample) => {
  expect(readFileSync(file, 'utf8')).toContain(sample);
});

import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { exampleNewPet } from '../../../shared/pets/operations.ts';
import { codePoint } from '../../../test/support/fuzz/code-point.ts';
import { PetStoreError } from '../../cli/calls/client-error.ts';
import { importRow, type RowImport } from '../import-row.ts';

/** The example pet as CSV cells. */
const example = Object.fromEntries(
  Object.entries(exampleNewPet).map(([name, value]) => [name, String(value)]),
);
const url = 'http://pets.example/v1/pets';

/** Imports line 7 of a file in which a column is renamed, through an API that may fail. */
async function importCells(cells: object, failure?: Error) {
  const create = vi.fn<RowImport['create']>(async () => {
    if (failure) throw failure;
    return 'created';
  });
  const options = { create, keyPrefix: 'digest', map: new Map([['title', 'name']]) };
  const outcome = await importRow({ line: 7, cells: Object.entries(cells) }, options);
  return { outcome, calls: create.mock.calls };
}

const categoryIdReason = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';

describe('importRow', () => {
  it('creates a pet from the given fields, keyed by file and line', async () => {
    const { name: title, ...others } = example;
    const ignored = { status: undefined, id: '9', rejected: 'x', unforeseen: 'y' };

    const { outcome, calls } = await importCells({ ...others, title, categoryId: '-5', ...ignored });

    expect(outcome).toBe('created');
    expect(calls).toStrictEqual([[{ ...exampleNewPet, categoryId: -5n }, 'digest-7']]);
  });

  it('keeps every CSV name and integer exactly', async () => {
    const name = fc.string({ unit: codePoint, maxLength: 20 }).map((text) => `${text}a`);
    const categoryId = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

    await fc.assert(
      fc.asyncProperty(name, categoryId, async (name, categoryId) => {
        const { calls } = await importCells({ ...example, name, categoryId: `${categoryId}` });

        expect(calls).toStrictEqual([[{ ...exampleNewPet, name, categoryId }, 'digest-7']]);
      }),
    );
  });

  it.each([' 1', '1e3', '1.2E+18', '1.5', 'one', 'true', '9223372036854775808', 1.5])(
    'rejects the categoryId %j',
    async (categoryId) => {
      const { outcome } = await importCells({ ...example, categoryId });

      expect(outcome).toMatchObject({ categoryId, rejected: { line: 7, reason: categoryIdReason } });
    },
  );

  it('keeps digits in another field as text', async () => {
    const { outcome } = await importCells({ ...example, name: '12', status: '5' });

    expect(outcome).toMatchObject({ name: '12', categoryId: 1n, status: '5' });
  });

  it.each(['constructor', '__proto__', 'toString'])('ignores a column named %s', async (column) => {
    const cells = Object.fromEntries([...Object.entries(example), [column, 'x']]);

    const { outcome, calls } = await importCells(cells);

    expect(outcome).toBe('created');
    expect(calls).toStrictEqual([[exampleNewPet, 'digest-7']]);
  });

  it('rejects a row that the API rejects', async () => {
    const failure = new PetStoreError('gone', 'It failed.', { url, status: 422 });

    const { outcome } = await importCells(example, failure);

    expect(outcome).toStrictEqual({ ...exampleNewPet, rejected: { line: 7, reason: 'It failed.' } });
  });

  it('fails when the API does', async () => {
    const failure = new PetStoreError('unreachable', 'It is down.', { url });

    await expect(importCells(example, failure)).rejects.toBe(failure);
  });
});

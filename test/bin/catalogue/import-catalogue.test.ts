import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { type ImportOptions, importCatalogue } from '../../../bin/catalogue/import-catalogue.ts';
import { PetStoreError } from '../../../shared/client/pet-store-client.ts';
import type { NewPet } from '../../../shared/contract/schemas/pet.ts';

/** An API that creates as it is told, after a moment, and counts; `isReplayed` may throw, too. */
function stubApi(isReplayed: (pet: NewPet) => boolean = () => false) {
  const creates = { underWay: 0, mostUnderWay: 0, done: 0 };
  const createPet = vi.fn(async (pet: NewPet, _key?: string) => {
    creates.underWay += 1;
    creates.mostUnderWay = Math.max(creates.mostUnderWay, creates.underWay);
    await setImmediate();
    creates.underWay -= 1;
    const created = { pet: { id: 1n, ...pet }, isReplayed: isReplayed(pet) };
    creates.done += 1;
    return created;
  });
  return { createPet, creates, keys: () => createPet.mock.calls.map(([, key = '']) => key) };
}

/** An import of rows, three at once: the name of a pet, or undefined for what is none. */
const optionsFor = (names: readonly (string | undefined)[]): ImportOptions => ({
  source: {
    digest: 'digest',
    format: 'ndjson',
    columns: ['name', 'categoryId'],
    rowCount: names.length,
    async *rows() {
      for (const [index, name] of names.entries()) {
        yield { line: index + 1, isText: false, text: '', fields: () => ({ name, categoryId: 1n }) };
      }
    },
  },
  understanding: { map: new Map(), unescapesFormulas: false },
  concurrency: 3,
  signal: new AbortController().signal,
  onRow: () => undefined,
  onRefused: () => undefined,
});

describe('the import of a catalogue', () => {
  it('creates each pet under a key of its line, and counts what came of it; without an API it only checks', async () => {
    const api = stubApi(({ name }) => {
      if (name === 'Nala') throw new PetStoreError('invalid_body', 'It is refused.', 400);
      return name === 'Milo';
    });
    const [onRow, onRefused] = [vi.fn(), vi.fn()];
    const options = optionsFor(['Bella', undefined, 'Milo', 'Nala']);

    const counts = await importCatalogue({ ...options, api, onRefused, onRow });
    const checked = await importCatalogue(options);

    const petOf = (name: string) => ({ name, categoryId: 1n, status: 'available' });
    const nameMessage = 'name must be a string of 1 to 255 characters, not only white space.';
    const [prefix] = api.keys().map((key) => key.split('-')[0]);
    expect(counts).toStrictEqual({ created: 1, replayed: 1, refused: 2 });
    expect(prefix).toMatch(/^[0-9a-f]{64}$/);
    expect(api.createPet.mock.calls).toStrictEqual([
      [petOf('Bella'), `${prefix}-1`],
      [petOf('Milo'), `${prefix}-3`],
      [petOf('Nala'), `${prefix}-4`],
    ]);
    expect(onRefused.mock.calls).toStrictEqual([
      [{ line: 2, reason: nameMessage, fields: { name: undefined, categoryId: 1n } }],
      [{ line: 4, reason: 'It is refused.', fields: petOf('Nala') }],
    ]);
    expect(onRow.mock.calls).toStrictEqual([[1], [2], [3], [4]]);
    expect(checked).toStrictEqual({ created: 3, replayed: 0, refused: 1 });
  });

  it('has other keys when the same content is understood otherwise', async () => {
    const api = stubApi();
    const { source, understanding, ...options } = { ...optionsFor(['Bella']), api };
    const map = new Map([['title', 'name'] as const, ['note', undefined] as const]);
    const reversed = new Map([...map].toReversed());

    await importCatalogue({ ...options, source, understanding });
    await importCatalogue({ ...options, source: { ...source, digest: 'other' }, understanding });
    await importCatalogue({ ...options, source: { ...source, format: 'csv' }, understanding });
    await importCatalogue({ ...options, source, understanding: { map: new Map(), unescapesFormulas: true } });
    await importCatalogue({ ...options, source, understanding: { ...understanding, map } });
    await importCatalogue({ ...options, source, understanding: { ...understanding, map: reversed } });

    expect(new Set(api.keys()).size).toBe(5);
    expect(api.keys().at(-1)).toBe(api.keys().at(-2));
  });

  const failure = new PetStoreError('service_unavailable', 'It failed.', 503);

  it.each<[title: string, isInterrupted: boolean, fails: boolean]>([
    ['is interrupted', true, false],
    ['is interrupted and fails', true, true],
    ['fails', false, true],
  ])('ends when it %s, once what is under way is done and counted', async (_title, isInterrupted, fails) => {
    const interruption = new AbortController();
    const api = stubApi(({ name }) => {
      if (name === 'Pet 10' && isInterrupted) interruption.abort();
      if (name === 'Pet 10' && fails) throw failure;
      return false;
    });
    const hundred = Array.from({ length: 100 }, (_, index) => `Pet ${index + 1}`);

    const imported = importCatalogue({ ...optionsFor(hundred), api, signal: interruption.signal });

    if (isInterrupted) expect(await imported).toMatchObject({ created: api.creates.done });
    else await expect(imported).rejects.toBe(failure);
    const aboutTen = expect.toBeOneOf([9, 10, 11, 12]);
    expect(api.creates).toStrictEqual({ underWay: 0, mostUnderWay: 3, done: aboutTen });
  });

  it('fails when its source does', async () => {
    const { source, ...options } = optionsFor([]);
    const rows = () => {
      throw failure;
    };

    await expect(importCatalogue({ ...options, source: { ...source, rows } })).rejects.toBe(failure);
  });
});

import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { type ImportOptions, importCatalogue } from '../../../bin/catalogue/import-catalogue.ts';
import { PetStoreError } from '../../../shared/client/pet-store-client.ts';
import type { NewPet } from '../../../shared/contract/schemas/pet.ts';

/** An API that creates as it is told, after a moment, and knows how many creates were under way at once. */
class StubApi {
  readonly created: { readonly pet: NewPet; readonly key: string }[] = [];
  readonly #isReplayed: (pet: NewPet) => boolean;
  #underWay = 0;
  mostUnderWay = 0;

  /** `isReplayed` may throw, too. */
  constructor(isReplayed: (pet: NewPet) => boolean = () => false) {
    this.#isReplayed = isReplayed;
  }

  async createPet(pet: NewPet, key = '') {
    this.#underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay);
    await setImmediate();
    this.#underWay -= 1;
    const isReplayed = this.#isReplayed(pet);
    this.created.push({ pet, key });
    return { pet: { id: 1n, ...pet }, isReplayed };
  }
}

/** Rows of a catalogue: the name of a pet, or undefined for what is none. */
function sourceOf(names: readonly (string | undefined)[]): ImportOptions['source'] {
  return {
    digest: 'digest',
    format: 'ndjson',
    columns: ['name', 'categoryId'],
    rowCount: names.length,
    async *rows() {
      for (const [index, name] of names.entries()) {
        yield { line: index + 1, isText: false, text: '', fields: () => ({ name, categoryId: 1n }) };
      }
    },
  };
}

const understanding = { map: new Map(), unescapesFormulas: false };
const told = { onRow: () => undefined, onRefused: () => undefined };
const optionsFor = (names: readonly (string | undefined)[]): ImportOptions => ({
  source: sourceOf(names),
  understanding,
  concurrency: 2,
  signal: new AbortController().signal,
  ...told,
});

const hundred = Array.from({ length: 100 }, (_, index) => `Pet ${index + 1}`);

describe('the import of a catalogue', () => {
  it('creates each pet under a key of its line, and counts what came of it', async () => {
    const api = new StubApi(({ name }) => {
      if (name === 'Nala') throw new PetStoreError('invalid_body', 'It is refused.', 400);
      return name === 'Milo';
    });
    const onRefused = vi.fn();
    const onRow = vi.fn();

    const options = optionsFor(['Bella', undefined, 'Milo', 'Nala']);
    const counts = await importCatalogue({ ...options, api, onRefused, onRow });

    const [prefix] = api.created.map(({ key }) => key.split('-')[0]);
    const nala = { name: 'Nala', categoryId: 1n, status: 'available' };
    expect(counts).toStrictEqual({ created: 1, replayed: 1, refused: 2 });
    expect(prefix).toMatch(/^[0-9a-f]{64}$/);
    expect(api.created).toStrictEqual([
      { pet: { name: 'Bella', categoryId: 1n, status: 'available' }, key: `${prefix}-1` },
      { pet: { name: 'Milo', categoryId: 1n, status: 'available' }, key: `${prefix}-3` },
    ]);
    expect(onRefused.mock.calls).toStrictEqual([
      [
        {
          line: 2,
          reason: 'name must be a string of 1 to 255 characters, not only white space.',
          fields: { name: undefined, categoryId: 1n },
        },
      ],
      [{ line: 4, reason: 'It is refused.', fields: nala }],
    ]);
    expect(onRow.mock.calls).toStrictEqual([[1], [2], [3], [4]]);
  });

  it('has other keys when the same content is understood otherwise', async () => {
    const api = new StubApi();
    const options = { ...optionsFor(['Bella']), api };
    const map = new Map([['title', 'name'] as const, ['note', undefined] as const]);

    await importCatalogue(options);
    await importCatalogue({ ...options, source: { ...options.source, digest: 'other' } });
    await importCatalogue({ ...options, source: { ...options.source, format: 'csv' } });
    await importCatalogue({ ...options, understanding: { ...understanding, unescapesFormulas: true } });
    await importCatalogue({ ...options, understanding: { ...understanding, map } });
    const different = new Set(api.created.map(({ key }) => key)).size;
    await importCatalogue({
      ...options,
      understanding: { ...understanding, map: new Map([...map].toReversed()) },
    });

    expect(different).toBe(5);
    expect(api.created.at(-1)?.key).toBe(api.created.at(-2)?.key);
  });

  it('only checks the rows where there is no API', async () => {
    const onRefused = vi.fn();

    const counts = await importCatalogue({ ...optionsFor(['Bella', undefined, 'Milo']), onRefused });

    expect(counts).toStrictEqual({ created: 2, replayed: 0, refused: 1 });
    expect(onRefused).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ line: 2 }));
  });

  it.each([1, 3, 16, 1000])('has at most %i creates under way at once', async (concurrency) => {
    const api = new StubApi();

    const counts = await importCatalogue({ ...optionsFor(hundred), api, concurrency });

    expect(counts.created).toBe(100);
    expect(new Set(api.created.map(({ key }) => key)).size).toBe(100);
    expect(api.mostUnderWay).toBe(Math.min(concurrency, 100));
  });

  it('ends when it is interrupted, with what is under way done and counted', async () => {
    const interruption = new AbortController();
    const api = new StubApi(({ name }) => {
      if (name === 'Pet 10') interruption.abort();
      return false;
    });

    const { signal } = interruption;
    const counts = await importCatalogue({ ...optionsFor(hundred), api, signal, concurrency: 4 });

    expect(counts.created).toBe(api.created.length);
    expect(counts.created).toBeGreaterThanOrEqual(10);
    expect(counts.created).toBeLessThan(10 + 4);
  });

  it('ends when it is interrupted, though what is under way fails', async () => {
    const interruption = new AbortController();
    const api = new StubApi(({ name }) => {
      if (name !== 'Pet 10') return false;
      interruption.abort();
      throw new Error('It failed.');
    });

    const { signal } = interruption;
    const counts = await importCatalogue({ ...optionsFor(hundred), api, signal, concurrency: 4 });

    expect(counts.created).toBe(api.created.length);
    expect(counts.created).toBeLessThan(10 + 4);
  });

  it('sends nothing when it was interrupted before', async () => {
    const api = new StubApi();

    const counts = await importCatalogue({ ...optionsFor(hundred), api, signal: AbortSignal.abort() });

    expect(counts).toStrictEqual({ created: 0, replayed: 0, refused: 0 });
    expect(api.created).toStrictEqual([]);
  });

  it('fails with the first failure, after what is under way is done, and sends no more', async () => {
    const failure = new Error('It failed.');
    const api = new StubApi(({ name }) => {
      if (name === 'Pet 10') throw failure;
      return false;
    });

    const counts = importCatalogue({ ...optionsFor(hundred), api, concurrency: 4 });

    await expect(counts).rejects.toBe(failure);
    expect(api.created.length).toBeGreaterThanOrEqual(9);
    expect(api.created.length).toBeLessThan(10 + 4);
  });
});

import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { CatalogueApi, type CreateOutcome } from '../../../bin/catalogue/api.ts';
import { type ImportOptions, importCatalogue } from '../../../bin/catalogue/import-catalogue.ts';
import type { NewPet } from '../../../shared/contract/pet.ts';

/** An API that creates as it is told, after a moment, and knows how many creates were under way at once. */
class StubApi extends CatalogueApi {
  readonly created: { readonly pet: NewPet; readonly key: string }[] = [];
  readonly #outcomeOf: (pet: NewPet) => CreateOutcome;
  #underWay = 0;
  mostUnderWay = 0;

  constructor(outcomeOf: (pet: NewPet) => CreateOutcome = () => 'created') {
    super('http://pets.example/v1', 'key');
    this.#outcomeOf = outcomeOf;
  }

  override async create(pet: NewPet, key: string): Promise<CreateOutcome> {
    this.#underWay += 1;
    this.mostUnderWay = Math.max(this.mostUnderWay, this.#underWay);
    await setImmediate();
    this.#underWay -= 1;
    const outcome = this.#outcomeOf(pet);
    this.created.push({ pet, key });
    return outcome;
  }
}

/** Rows of a catalogue: the name of a pet, or undefined for what is none. */
function sourceOf(names: readonly (string | undefined)[]): ImportOptions['source'] {
  return {
    digest: 'digest',
    rowCount: names.length,
    async *rows() {
      for (const [index, name] of names.entries()) {
        yield { line: index + 1, isText: false, fields: () => ({ name, categoryId: 1n }) };
      }
    },
  };
}

const told = { onRow: () => undefined, onRefused: () => undefined };
const optionsFor = (names: readonly (string | undefined)[]): ImportOptions => ({
  source: sourceOf(names),
  names: new Map(),
  concurrency: 2,
  signal: new AbortController().signal,
  ...told,
});

const hundred = Array.from({ length: 100 }, (_, index) => `Pet ${index + 1}`);

describe('the import of a catalogue', () => {
  it('creates each pet under a key made of the digest and the line, and counts what came of it', async () => {
    const outcomes: Readonly<Record<string, CreateOutcome>> = {
      Bella: 'created',
      Milo: 'replayed',
      Nala: { refusal: 'It is refused.' },
    };
    const api = new StubApi(({ name }) => outcomes[name] ?? 'created');
    const onRefused = vi.fn();
    const onRow = vi.fn();

    const options = optionsFor(['Bella', undefined, 'Milo', 'Nala']);
    const counts = await importCatalogue({ ...options, api, onRefused, onRow });

    expect(counts).toStrictEqual({ created: 1, replayed: 1, refused: 2 });
    expect(api.created).toStrictEqual([
      { pet: { name: 'Bella', categoryId: 1n, status: 'available' }, key: 'digest-1' },
      { pet: { name: 'Milo', categoryId: 1n, status: 'available' }, key: 'digest-3' },
      { pet: { name: 'Nala', categoryId: 1n, status: 'available' }, key: 'digest-4' },
    ]);
    expect(onRefused.mock.calls).toStrictEqual([
      [2, 'name must be a string of 1 to 255 characters, not only white space.'],
      [4, 'It is refused.'],
    ]);
    expect(onRow.mock.calls).toStrictEqual([[1], [2], [3], [4]]);
  });

  it('only checks the rows where there is no API', async () => {
    const onRefused = vi.fn();

    const counts = await importCatalogue({ ...optionsFor(['Bella', undefined, 'Milo']), onRefused });

    expect(counts).toStrictEqual({ created: 2, replayed: 0, refused: 1 });
    expect(onRefused).toHaveBeenCalledExactlyOnceWith(2, expect.any(String));
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
      return 'created';
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
      if (name !== 'Pet 10') return 'created';
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
      return 'created';
    });

    const counts = importCatalogue({ ...optionsFor(hundred), api, concurrency: 4 });

    await expect(counts).rejects.toBe(failure);
    expect(api.created.length).toBeGreaterThanOrEqual(9);
    expect(api.created.length).toBeLessThan(10 + 4);
  });
});

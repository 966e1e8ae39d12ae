import { setImmediate } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { type ImportOptions, importCatalogue } from '../../../bin/catalogue/import-catalogue.ts';
import { PetStoreError } from '../../../shared/client/pet-store-client.ts';
import type { NewPet } from '../../../shared/contract/schemas/pet.ts';

/** An API that creates as it is told, after a moment; `isReplayed` may throw, too. */
const stubApi = (isReplayed: (pet: NewPet) => boolean = () => false) => ({
  createPet: vi.fn(async (pet: NewPet, _key?: string) => {
    await setImmediate();
    return { pet: { id: 1n, ...pet }, isReplayed: isReplayed(pet) };
  }),
});

type Outcome = 'fulfilled' | 'rejected' | 'incomplete';

/** How many of the creates of an API have come to something. */
const countOf = ({ createPet }: ReturnType<typeof stubApi>, outcome: Outcome) =>
  createPet.mock.settledResults.filter(({ type }) => type === outcome).length;

/** The Idempotency-Keys that an API was sent. */
const keysOf = ({ createPet }: ReturnType<typeof stubApi>) => createPet.mock.calls.map(([, key = '']) => key);

/** An import of rows: the name of a pet, or undefined for what is none. */
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
  concurrency: 4,
  signal: new AbortController().signal,
  onRow: () => undefined,
  onRefused: () => undefined,
});

const hundred = Array.from({ length: 100 }, (_, index) => `Pet ${index + 1}`);

describe('the import of a catalogue', () => {
  const nameMessage = 'name must be a string of 1 to 255 characters, not only white space.';

  it('creates each pet under a key of its line, and counts what came of it', async () => {
    const api = stubApi(({ name }) => {
      if (name === 'Nala') throw new PetStoreError('invalid_body', 'It is refused.', 400);
      return name === 'Milo';
    });
    const onRefused = vi.fn();
    const onRow = vi.fn();
    const petOf = (name: string) => ({ name, categoryId: 1n, status: 'available' });

    const options = optionsFor(['Bella', undefined, 'Milo', 'Nala']);
    const counts = await importCatalogue({ ...options, api, onRefused, onRow });

    const [prefix] = keysOf(api).map((key) => key.split('-')[0]);
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
  });

  it('has other keys when the same content is understood otherwise', async () => {
    const api = stubApi();
    const options = { ...optionsFor(['Bella']), api };
    const { source, understanding } = options;
    const pairs = [['title', 'name'] as const, ['note', undefined] as const];

    await importCatalogue(options);
    await importCatalogue({ ...options, source: { ...source, digest: 'other' } });
    await importCatalogue({ ...options, source: { ...source, format: 'csv' } });
    await importCatalogue({ ...options, understanding: { ...understanding, unescapesFormulas: true } });
    await importCatalogue({ ...options, understanding: { ...understanding, map: new Map(pairs) } });
    const reversed = new Map(pairs.toReversed());
    await importCatalogue({ ...options, understanding: { ...understanding, map: reversed } });

    const keys = keysOf(api);
    expect(new Set(keys).size).toBe(5);
    expect(keys.at(-1)).toBe(keys.at(-2));
  });

  it('only checks the rows where there is no API', async () => {
    const onRefused = vi.fn();

    const counts = await importCatalogue({ ...optionsFor(['Bella', undefined, 'Milo']), onRefused });

    expect(counts).toStrictEqual({ created: 2, replayed: 0, refused: 1 });
    expect(onRefused).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ line: 2 }));
  });

  it('has as many creates under way at once as it may', async () => {
    const underWay: number[] = [];
    const api = stubApi(() => {
      underWay.push(countOf(api, 'incomplete'));
      return false;
    });

    const counts = await importCatalogue({ ...optionsFor(hundred), api, concurrency: 3 });

    expect(counts.created).toBe(100);
    expect(new Set(keysOf(api)).size).toBe(100);
    expect(Math.max(...underWay)).toBe(3);
  });

  it.each([
    ['done', false],
    ['failing', true],
  ])('ends when it is interrupted, counting what is under way, that %s', async (_title, fails) => {
    const interruption = new AbortController();
    const api = stubApi(({ name }) => {
      if (name !== 'Pet 10') return false;
      interruption.abort();
      if (fails) throw new Error('It failed.');
      return false;
    });

    const counts = await importCatalogue({ ...optionsFor(hundred), api, signal: interruption.signal });

    expect(counts.created).toBe(countOf(api, 'fulfilled'));
    expectAboutTen(api);
  });

  it('fails with the first failure, after what is under way is done, and sends no more', async () => {
    const failure = new PetStoreError('service_unavailable', 'It failed.', 503);
    const api = stubApi(({ name }) => {
      if (name === 'Pet 10') throw failure;
      return false;
    });

    await expect(importCatalogue({ ...optionsFor(hundred), api })).rejects.toBe(failure);
    expect(countOf(api, 'incomplete')).toBe(0);
    expectAboutTen(api);
  });

  it('fails when the source does', async () => {
    const options = optionsFor([]);
    const rows = () => {
      throw new Error('It was changed.');
    };

    const counts = importCatalogue({ ...options, source: { ...options.source, rows } });

    await expect(counts).rejects.toThrow('It was changed.');
  });
});

/** Up to four are under way when the tenth ends the import. */
function expectAboutTen(api: ReturnType<typeof stubApi>): void {
  expect(countOf(api, 'fulfilled')).toBeGreaterThanOrEqual(9);
  expect(countOf(api, 'fulfilled')).toBeLessThan(10 + 4);
}

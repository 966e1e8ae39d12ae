import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { handler as createPet } from '../../functions/create-pet.ts';
import { handler as getPet } from '../../functions/get-pet.ts';
import { handler as listPets } from '../../functions/list-pets.ts';
import { errorTable } from '../../shared/contract/errors/error-table.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { pageSize } from '../../shared/contract/schemas/list-pets-query.ts';
import { NewPet, type Pet, PetStatus } from '../../shared/contract/schemas/pet.ts';
import { petIdOf } from '../../shared/tables/creation.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke, type TestResponse } from '../support/functions/invoke.ts';
import { removeEveryPet } from '../support/functions/stored-pets.ts';

/** A body of a create. */
type PetToCreate = v.InferInput<typeof NewPet>;

/** A create with an Idempotency-Key, sent this many times in parallel. */
interface KeyedCreate {
  readonly client: string;
  readonly key: string;
  readonly newPet: PetToCreate;
  readonly times: number;
}

/** A client on its way from page to page. */
interface Walk {
  readonly limit: number;
  readonly status: PetStatus | undefined;
  /** The ids that were there when the walk began. */
  readonly expected: readonly bigint[];
  readonly seen: bigint[];
  /** The query of the next page. */
  next: string | undefined;
}

/** The expected contents of the API. */
interface Model {
  readonly pets: Map<bigint, Pet>;
  /** Creates with an Idempotency-Key, by client and key. */
  readonly keyed: Map<string, { readonly sent: PetToCreate; readonly pet: Pet }>;
  readonly walks: Walk[];
}

captureLog();

const sequences = Math.ceil(Number(process.env['FAULTS_CREATES'] ?? 50) / 5);

const post = (newPet: PetToCreate, client: string, headers: Record<string, string[]> = {}) =>
  invoke(createPet, { method: 'POST', client, headers, body: stringifyJson(newPet) });

const isReplay = ({ headers }: TestResponse) => headers['Idempotency-Replayed'] === 'true';

/** Creates pets without a key, all at once. */
async function createEach(model: Model, newPets: readonly PetToCreate[]): Promise<void> {
  const responses = await Promise.all(newPets.map((newPet) => post(newPet, 'acme')));

  for (const [index, response] of responses.entries()) {
    const pet = response.body as Pet;
    expect(response).toMatchObject({ status: 201, body: { status: 'available', ...newPets[index] } });
    expect(isReplay(response)).toBe(false);
    expect(model.pets.has(pet.id)).toBe(false);
    model.pets.set(pet.id, pet);
  }
}

/** Sends a create whose key may have been used before, several times in parallel. */
async function createOnce(model: Model, { client, key, newPet, times }: KeyedCreate): Promise<void> {
  const headers = { 'Idempotency-Key': [key] };
  const responses = await Promise.all(Array.from({ length: times }, () => post(newPet, client, headers)));

  const known = model.keyed.get(`${client} ${key}`);
  if (known && !isDeepStrictEqual(known.sent, newPet)) {
    const { message, status } = errorTable.idempotency_key_reused;
    const error = { code: 'idempotency_key_reused', message, status: BigInt(status) };
    for (const response of responses) expect(response).toMatchObject({ status, body: error });
    return;
  }
  const id = petIdOf({ client, key }, 0);
  const pet = { id, ...v.parse(NewPet, newPet) };
  for (const response of responses) expect(response).toMatchObject({ status: 201, body: pet });
  expect(responses.filter(isReplay)).toHaveLength(known ? times : times - 1);
  expect(model.pets.has(id)).toBe(known !== undefined);
  model.pets.set(id, pet);
  model.keyed.set(`${client} ${key}`, { sent: newPet, pet });
}

function startWalk({ pets }: Model, limit: number | undefined, status: PetStatus | undefined): Walk {
  return {
    limit: limit ?? pageSize.default,
    status,
    expected: [...pets.values()]
      .filter((pet) => status === undefined || pet.status === status)
      .map(({ id }) => id),
    seen: [],
    next: [limit !== undefined && `limit=${limit}`, status && `status=${status}`].filter(Boolean).join('&'),
  };
}

/** Reads the next page of a walk while pets are created, and holds it against the model. */
async function readPage(model: Model, walk: Walk, createdMeanwhile: readonly PetToCreate[]): Promise<void> {
  const [response] = await Promise.all([
    invoke(listPets, { query: walk.next ?? '' }),
    createEach(model, createdMeanwhile),
  ]);

  const page = response.body as Pet[];
  expect(response.status).toBe(200);
  expect(page).toEqual(page.map(({ id }) => model.pets.get(id)));
  expect(page.filter(({ status }) => status !== (walk.status ?? status))).toEqual([]);

  const link = /^<(.+)>; rel="next"$/.exec(String(response.headers['Link']))?.[1];
  const isFirst = walk.seen.length === 0;
  walk.next = link && new URL(link).search.slice(1);
  walk.seen.push(...page.map(({ id }) => id));
  expect(page.length).toBeLessThanOrEqual(walk.limit);
  expect(page.length).toBeGreaterThanOrEqual(walk.next === undefined ? (isFirst ? 0 : 1) : walk.limit);

  expect(new Set(walk.seen).size).toBe(walk.seen.length);
  if (walk.status !== undefined) expect(walk.seen).toEqual(walk.seen.toSorted(ascending));
  if (walk.next === undefined) expect(new Set(walk.seen)).toEqual(new Set([...walk.expected, ...walk.seen]));
}

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : 1);

const isUnfinished = ({ next }: Walk) => next !== undefined;

/** Reads a list from its first page to its last. */
async function walkToTheEnd(model: Model, walk: Walk): Promise<readonly bigint[]> {
  while (isUnfinished(walk)) await readPage(model, walk, []);
  return walk.seen;
}

/** An element of a list that may be empty. */
const pick = <T>(list: Iterable<T>, index: number): T | undefined => [...list].at(index % [...list].length);

type Step = fc.AsyncCommand<Model, undefined>;

const step = (title: string, run: (model: Model) => Promise<void>): Step => ({
  run,
  check: () => true,
  toString: () => title,
});

const newPets = fc
  .record(
    {
      name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((name) => name.trim() !== ''),
      categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      status: fc.constantFrom(...PetStatus.options),
    },
    { requiredKeys: ['name', 'categoryId'] },
  )
  .map((fields): PetToCreate => ({ ...exampleNewPet, ...fields }));
const someNewPets = fc.array(newPets, { maxLength: 5 });
/** They differ in one field at most, so that keys are used again for the same pet as well as for another. */
const similarPets = fc.constantFrom<PetToCreate[]>(
  exampleNewPet,
  { ...exampleNewPet, status: 'available' },
  { ...exampleNewPet, status: 'sold' },
  { ...exampleNewPet, categoryId: 2n },
);
const limits = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) },
  fc.integer({ min: 1, max: 100 }),
  fc.constant(undefined),
);
const clients = fc.constantFrom('acme', 'zoo');
const keys = fc.constantFrom('first', 'second');
const times = fc.integer({ min: 1, max: 3 });
const filters = fc.constantFrom(undefined, ...PetStatus.options);

const steps: fc.Arbitrary<Step>[] = [
  someNewPets.map((pets) => step(`create ${pets.length}`, (model) => createEach(model, pets))),
  fc
    .record({ client: clients, key: keys, newPet: similarPets, times })
    .map((create) => step(`create ${stringifyJson(create)}`, (model) => createOnce(model, create))),
  fc.tuple(limits, filters, someNewPets).map(([limit, status, meanwhile]) =>
    step(`list ${limit} of status ${status} while ${meanwhile.length} are created`, async (model) => {
      const walk = startWalk(model, limit, status);
      model.walks.push(walk);
      await readPage(model, walk, meanwhile);
    }),
  ),
  fc.tuple(fc.nat(), someNewPets).map(([index, meanwhile]) =>
    step(`follow next of list ${index} while ${meanwhile.length} are created`, async (model) => {
      const walk = pick(model.walks.filter(isUnfinished), index);
      if (walk) await readPage(model, walk, meanwhile);
    }),
  ),
  fc.nat().map((index) =>
    step(`get pet ${index}`, async ({ pets }) => {
      const pet = pick(pets.values(), index);
      if (pet) expect(await invoke(getPet, { petId: `${pet.id}` })).toMatchObject({ status: 200, body: pet });
    }),
  ),
];

// A long run has its time.
const timeout = 30_000 + sequences * 1000;

it('the API agrees with a model after any sequence of requests', {
  timeout,
}, async () => {
  // What is there before anything else.
  const population = fc.array(newPets, { maxLength: 20 });

  await fc.assert(
    fc.asyncProperty(
      population,
      fc.commands(steps, { maxCommands: 30, size: 'max' }),
      limits,
      async (pets, run, limit) => {
        await removeEveryPet();
        const model: Model = { pets: new Map(), keyed: new Map(), walks: [] };
        await createEach(model, pets);
        await fc.asyncModelRun(() => ({ model, real: undefined }), run);
        for (const walk of model.walks) await walkToTheEnd(model, walk);

        const all = await walkToTheEnd(model, startWalk(model, limit, undefined));
        expect(new Set(all)).toEqual(new Set(model.pets.keys()));
        // The walks without a filter have seen their pets in the order of a later list of all.
        for (const { seen } of model.walks.filter(({ status }) => status === undefined)) {
          expect(seen).toEqual(all.filter((id) => seen.includes(id)));
        }
      },
    ),
    { numRuns: sequences },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handler as createPet } from '../../functions/create-pet.ts';
import { handler as getPet } from '../../functions/get-pet.ts';
import { handler as listPets } from '../../functions/list-pets.ts';
import { errorTable } from '../../shared/contract/errors/error-table.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { pageSize } from '../../shared/contract/schemas/list-pets-query.ts';
import { type Pet, PetStatus } from '../../shared/contract/schemas/pet.ts';
import { invoke, type TestResponse } from '../support/functions/invoke.ts';
import { removeEveryPet } from '../support/functions/stored-pets.ts';

/** What a client may ask to have created, its status left out or not. */
interface PetToCreate {
  readonly name: string;
  readonly categoryId: bigint;
  readonly status?: PetStatus;
}

/** A create under an Idempotency-Key, and what came of it. */
interface KeyedCreate {
  readonly client: string;
  readonly key: string;
  readonly newPet: PetToCreate;
  readonly pet: Pet;
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

/** What the API is to hold. */
interface Model {
  readonly pets: Map<bigint, Pet>;
  readonly keyed: Map<string, KeyedCreate>;
  readonly walks: Walk[];
}

type Step = fc.AsyncCommand<Model, undefined>;

/** How many sequences of steps there are. */
const sequences = Math.ceil(Number(process.env['FAULTS_CREATES'] ?? 300) / 5);

const post = (newPet: PetToCreate, client: string, key: string | undefined) =>
  invoke(createPet, {
    method: 'POST',
    client,
    headers: key === undefined ? {} : { 'Idempotency-Key': [key] },
    body: stringifyJson(newPet),
  });

const isReplay = ({ headers }: TestResponse) => headers['Idempotency-Replayed'] === 'true';

/** Creates pets without a key, all at once. */
async function createEach(model: Model, newPets: readonly PetToCreate[]): Promise<void> {
  const responses = await Promise.all(newPets.map((newPet) => post(newPet, 'acme', undefined)));

  for (const [index, response] of responses.entries()) {
    const pet = response.body as Pet;
    expect(response).toMatchObject({ status: 201, body: { status: 'available', ...newPets[index] } });
    expect(isReplay(response)).toBe(false);
    expect(model.pets.has(pet.id)).toBe(false);
    model.pets.set(pet.id, pet);
  }
}

/** Sends one create so many times at once under a key, which may have been used before. */
async function createOnce(
  model: Model,
  { client, key, newPet }: Omit<KeyedCreate, 'pet'>,
  times: number,
): Promise<void> {
  const responses = await Promise.all(Array.from({ length: times }, () => post(newPet, client, key)));

  const known = model.keyed.get(`${client} ${key}`);
  const sent: PetToCreate = { status: 'available', ...newPet };
  if (known && !isSame(known.pet, sent)) {
    const { message, status } = errorTable.idempotency_key_reused;
    const body = { code: 'idempotency_key_reused', message, status: BigInt(status) };
    for (const response of responses) expect(response).toMatchObject({ status, body });
    return;
  }
  const pet = known?.pet ?? (responses[0]?.body as Pet);
  for (const response of responses)
    expect(response).toMatchObject({ status: 201, body: { ...sent, id: pet.id } });
  expect(responses.filter(isReplay)).toHaveLength(known ? times : times - 1);
  expect(model.pets.has(pet.id)).toBe(known !== undefined);
  model.pets.set(pet.id, pet);
  model.keyed.set(`${client} ${key}`, { client, key, newPet, pet });
}

const isSame = (pet: Pet, sent: PetToCreate) =>
  pet.name === sent.name && pet.categoryId === sent.categoryId && pet.status === sent.status;

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

/** Expects that the walks without a filter have seen their pets in the order of a later list of all. */
function expectSameOrder(all: readonly bigint[], walks: readonly Walk[]): void {
  const places = new Map(all.map((id, place) => [id, place]));
  for (const { seen } of walks.filter(({ status }) => status === undefined)) {
    const placesSeen = seen.map((id) => places.get(id) ?? -1);
    expect(placesSeen).toEqual(placesSeen.toSorted((a, b) => a - b));
  }
}

/** An element of a list, or undefined where it is empty. */
const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];

const step = (
  title: string,
  run: (model: Model) => Promise<void>,
  check: (model: Model) => boolean = () => true,
): Step => ({ run, check: (model) => check(model), toString: () => title });

const newPets = fc.record(
  {
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((name) => name.trim() !== ''),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status: fc.constantFrom(...PetStatus.options),
  },
  { requiredKeys: ['name', 'categoryId'] },
);
const someNewPets = fc.array(newPets, { maxLength: 5 });
/** What is there before anything else. */
const population = fc.array(newPets, { maxLength: 20 });
const limits = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) },
  fc.integer({ min: 1, max: 100 }),
  fc.constant(undefined),
);
const filters = fc.constantFrom(undefined, ...PetStatus.options);
const times = fc.integer({ min: 1, max: 3 });
const clients = fc.constantFrom('acme', 'zoo');
const keys = fc.constantFrom('first', 'second', 'third');

const steps: fc.Arbitrary<Step>[] = [
  someNewPets.map((pets) => step(`create ${pets.length}`, (model) => createEach(model, pets))),
  fc
    .tuple(newPets, clients, keys, times)
    .map(([newPet, client, key, count]) =>
      step(`create under the key ${key} of ${client}, ${count} times`, (model) =>
        createOnce(model, { client, key, newPet }, count),
      ),
    ),
  fc.tuple(fc.nat(), times).map(([index, count]) =>
    step(
      `repeat create ${index}, ${count} times`,
      async (model) => {
        const known = pick([...model.keyed.values()], index);
        if (known) await createOnce(model, known, count);
      },
      ({ keyed }) => keyed.size > 0,
    ),
  ),
  fc.tuple(limits, filters, someNewPets).map(([limit, status, meanwhile]) =>
    step(`list ${limit} of status ${status} while ${meanwhile.length} are created`, async (model) => {
      const walk = startWalk(model, limit, status);
      model.walks.push(walk);
      await readPage(model, walk, meanwhile);
    }),
  ),
  fc.tuple(fc.nat(), someNewPets).map(([index, meanwhile]) =>
    step(
      `follow next of list ${index} while ${meanwhile.length} are created`,
      async (model) => {
        const walk = pick(model.walks.filter(isUnfinished), index);
        if (walk) await readPage(model, walk, meanwhile);
      },
      ({ walks }) => walks.some(isUnfinished),
    ),
  ),
  fc.nat().map((index) =>
    step(
      `get pet ${index}`,
      async ({ pets }) => {
        const pet = pick([...pets.values()], index);
        const response = await invoke(getPet, { petId: `${pet?.id}` });
        expect(response.status).toBe(200);
        expect(response.body).toEqual(pet);
      },
      ({ pets }) => pets.size > 0,
    ),
  ),
  fc.bigInt({ min: 1n, max: 2n ** 53n - 1n }).map((id) =>
    step(
      `get ${id}`,
      async () => {
        const response = await invoke(getPet, { petId: `${id}` });
        expect(response.status).toBe(404);
      },
      ({ pets }) => !pets.has(id),
    ),
  ),
];

describe('the API as a model has it', () => {
  it('holds whatever is created, replayed, listed, followed and got, in any order', async () => {
    const figures = { sequences, pets: 0, walks: 0 };

    await fc.assert(
      fc.asyncProperty(
        population,
        fc.commands(steps, { maxCommands: 30 }),
        limits,
        async (pets, run, limit) => {
          await removeEveryPet();
          const model: Model = { pets: new Map(), keyed: new Map(), walks: [] };
          await createEach(model, pets);
          await fc.asyncModelRun(() => ({ model, real: undefined }), run);
          for (const walk of model.walks) await walkToTheEnd(model, walk);

          const all = await walkToTheEnd(model, startWalk(model, limit, undefined));
          expect(new Set(all)).toEqual(new Set(model.pets.keys()));
          expectSameOrder(all, model.walks);
          figures.pets += model.pets.size;
          figures.walks += model.walks.length + 1;
        },
      ),
      { numRuns: sequences },
    );
    if (process.env['FAULTS_CREATES'] !== undefined) console.table(figures);
  });
});

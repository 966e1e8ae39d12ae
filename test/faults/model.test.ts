import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { handler as createPet } from '../../functions/create-pet.ts';
import { handler as getPet } from '../../functions/get-pet.ts';
import { handler as listPets } from '../../functions/list-pets.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { NewPet, type Pet, PetStatus } from '../../shared/contract/schemas/pet.ts';
import { petIdOf } from '../../shared/tables/creation.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke, nextQueryOf } from '../support/functions/invoke.ts';
import { removeEveryPet } from '../support/functions/stored-pets.ts';

type Body = v.InferInput<typeof NewPet>;

/** A client's progress through the pages of a list. */
interface Walk {
  readonly limit: number;
  readonly status: PetStatus | undefined;
  /** The ids stored when it began. */
  readonly expected: readonly bigint[];
  readonly seen: bigint[];
  /** The query of the next page. */
  next: string | undefined;
}

/** The expected contents of the API. */
class Model {
  readonly pets = new Map<bigint, Pet>();
  /** Creates with an Idempotency-Key, by client and key. */
  readonly keyed = new Map<string, { readonly body: Body; readonly pet: Pet }>();
  readonly walks: Walk[] = [];
}

captureLog();

const runs = Math.ceil(Number(process.env['FAULTS_CREATES'] ?? 50) / 5);

const post = (body: Body, client: string, headers: Record<string, string[]> = {}) =>
  invoke(createPet, { method: 'POST', client, headers, body: stringifyJson(body) });

/** Creates pets without a key, in parallel. */
async function createEach({ pets }: Model, bodies: readonly Body[]): Promise<void> {
  const responses = await Promise.all(bodies.map((body) => post(body, 'acme')));

  for (const [index, response] of responses.entries()) {
    const pet = response.body as Pet;
    expect(response).toMatchObject({ status: 201, body: { status: 'available', ...bodies[index] } });
    expect(response.headers).not.toHaveProperty('Idempotency-Replayed');
    expect(pets.has(pet.id)).toBe(false);
    pets.set(pet.id, pet);
  }
}

/** Sends a create whose key may have been used before, several times in parallel. */
async function createOnce(
  model: Model,
  client: string,
  key: string,
  body: Body,
  times: number,
): Promise<void> {
  const known = model.keyed.get(`${client} ${key}`);
  const send = () => post(body, client, { 'Idempotency-Key': [key] });

  const responses = await Promise.all(Array.from({ length: times }, send));

  if (known && !isDeepStrictEqual(known.body, body)) {
    const reused = { status: 422, body: { code: 'idempotency_key_reused' } };
    for (const response of responses) expect(response).toMatchObject(reused);
    return;
  }
  const pet = { id: petIdOf({ client, key }, 0), ...v.parse(NewPet, body) };
  for (const response of responses) expect(response).toMatchObject({ status: 201, body: pet });
  const replays = responses.filter(({ headers }) => headers['Idempotency-Replayed'] === 'true');
  expect(replays).toHaveLength(known ? times : times - 1);
  model.pets.set(pet.id, pet);
  model.keyed.set(`${client} ${key}`, { body, pet });
}

function startWalk({ pets }: Model, limit: number, status: PetStatus | undefined): Walk {
  const listed = [...pets.values()].filter((pet) => status === undefined || pet.status === status);
  const next = `limit=${limit}${status ? `&status=${status}` : ''}`;
  return { limit, status, expected: listed.map(({ id }) => id), seen: [], next };
}

/** Reads the next page of a walk while pets are created, and compares it with the model. */
async function readPage(model: Model, walk: Walk, createdMeanwhile: readonly Body[] = []): Promise<void> {
  const { limit, seen } = walk;
  const isFirst = seen.length === 0;

  const [response] = await Promise.all([
    invoke(listPets, { query: walk.next ?? '' }),
    createEach(model, createdMeanwhile),
  ]);

  const page = response.body as Pet[];
  expect(page).toEqual(page.map(({ id }) => model.pets.get(id)));
  expect(page.filter(({ status }) => status !== (walk.status ?? status))).toEqual([]);

  walk.next = nextQueryOf(response);
  seen.push(...page.map(({ id }) => id));
  expect(page.length).toBeLessThanOrEqual(limit);
  expect(page.length).toBeGreaterThanOrEqual(walk.next === undefined ? Number(!isFirst) : limit);

  expect(new Set(seen).size).toBe(seen.length);
  if (walk.status !== undefined) expect(seen).toEqual(seen.toSorted((a, b) => (a < b ? -1 : 1)));
  if (walk.next === undefined) expect(seen).toEqual(expect.arrayContaining([...walk.expected]));
}

/** Follows a walk to its last page, and returns the ids of all of its pages. */
async function finish(model: Model, walk: Walk): Promise<readonly bigint[]> {
  while (walk.next !== undefined) await readPage(model, walk);
  return walk.seen;
}

const step = (title: string, run: (model: Model) => Promise<void>): fc.AsyncCommand<Model, undefined> => ({
  run,
  check: () => true,
  toString: () => title,
});

const newPets = fc.record(
  {
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).filter((name) => name.trim() !== ''),
    categoryId: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    status: fc.constantFrom(...PetStatus.options),
  },
  { requiredKeys: ['name', 'categoryId'] },
);
const someNewPets = fc.array(
  newPets.map((fields): Body => ({ ...exampleNewPet, ...fields })),
  { maxLength: 5 },
);
/** Bodies that differ in at most one field, so that keys are reused with the same body and with another. */
const similarPets = fc
  .constantFrom<Partial<Body>[]>({}, { status: 'available' }, { status: 'sold' }, { categoryId: 2n })
  .map((fields): Body => ({ ...exampleNewPet, ...fields }));
const clients = fc.constantFrom('acme', 'zoo');
const keys = fc.constantFrom('first', 'second');
const times = fc.integer({ min: 1, max: 3 });
const limits = fc.oneof({ weight: 4, arbitrary: fc.integer({ min: 1, max: 5 }) }, fc.constant(100));
const filters = fc.constantFrom(undefined, ...PetStatus.options);

const steps = [
  someNewPets.map((pets) => step(`create ${pets.length}`, (model) => createEach(model, pets))),
  fc
    .tuple(clients, keys, similarPets, times)
    .map((create) => step(`create ${stringifyJson(create)}`, (model) => createOnce(model, ...create))),
  fc.tuple(limits, filters, someNewPets).map(([limit, status, meanwhile]) =>
    step(`list ${limit} of status ${status} while ${meanwhile.length} are created`, async (model) => {
      const walk = startWalk(model, limit, status);
      model.walks.push(walk);
      await readPage(model, walk, meanwhile);
    }),
  ),
  fc.tuple(fc.nat(), someNewPets).map(([index, meanwhile]) =>
    step(`follow next of list ${index} while ${meanwhile.length} are created`, async (model) => {
      const unfinished = model.walks.filter(({ next }) => next !== undefined);
      const walk = unfinished[index % unfinished.length];
      if (walk) await readPage(model, walk, meanwhile);
    }),
  ),
  fc.nat().map((index) =>
    step(`get pet ${index}`, async ({ pets }) => {
      const pet = [...pets.values()][index % pets.size];
      if (pet) expect(await invoke(getPet, { petId: `${pet.id}` })).toMatchObject({ status: 200, body: pet });
    }),
  ),
];

it('the API agrees with a model after any sequence of requests', {
  timeout: 30_000 + runs * 1000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: 30, size: 'max' }), limits, async (run, limit) => {
      await removeEveryPet();
      const model = new Model();
      await fc.asyncModelRun(() => ({ model, real: undefined }), run);
      for (const walk of model.walks) await finish(model, walk);

      const all = await finish(model, startWalk(model, limit, undefined));
      expect(new Set(all)).toEqual(new Set(model.pets.keys()));
      // Lists without a filter return pets in the same order each time.
      for (const { seen } of model.walks.filter(({ status }) => status === undefined)) {
        expect(seen).toEqual(all.filter((id) => seen.includes(id)));
      }
    }),
    { numRuns: runs },
  );
});

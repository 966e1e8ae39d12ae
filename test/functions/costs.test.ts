import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { dynaliteTables } from '../../bin/local-api/dynamodb/dynalite-tables.ts';
import { embeddedDynamodb } from '../../bin/local-api/dynamodb/embedded-dynamodb.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { apiKeyHash, apiKeyTable, generateApiKey } from '../../shared/keys/api-key.ts';
import { environmentVariable } from '../../shared/lambda/init.ts';
import { petTable } from '../../shared/pets/pet-table.ts';
import { type Consumption, meter } from '../support/dynamodb/meter.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke, type TestRequest } from '../support/functions/invoke.ts';
import { startDynamodb } from '../support/setup/start-dynamodb.ts';

captureLog();

const nothing: Consumption = { calls: 0, readUnits: 0, writeUnits: 0 };
const reading = (readUnits: number): Consumption => ({ calls: 1, readUnits, writeUnits: 0 });
const writing = (writeUnits: number): Consumption => ({ calls: 1, readUnits: 0, writeUnits });

/** The calls of DynamoDB and the units that a request may take, by its kind, in a table of any size. */
const costs = {
  'page of 20 pets': reading(0.5),
  'page of 100 pets': reading(1.5),
  'page of 100 pets with the longest names': reading(14),
  create: writing(2),
  'create with the longest name': writing(4),
  'repeated create, with the same or another body': writing(1),
  'rejected create': nothing,
  'authorizer, also for an unknown key': reading(1),
  'authorizer, mistyped key': nothing,
  'init of listPets': reading(0.5),
  'init of createPet': writing(1),
  'init of the authorizer': reading(1),
} as const;

/** How many pets the table has, in turn. */
const sizes = [10, Number(process.env['COSTS_PETS'] ?? 1000)];

const dynalite = dynaliteTables();
const { endpoint, read } = meter(
  embeddedDynamodb(dynalite),
  (name) => inject('tables').find(({ id }) => id === name)?.properties.GlobalSecondaryIndexes?.length ?? 0,
);

let stored = 0;
const apiKey = generateApiKey('petstore_staging_');
const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/v1/GET/pets';
const longestName = '\u{1F436}'.repeat(255);

/** Returns the id of a stored pet, with as many digits as most ids have. */
const idOf = (index: number) => (2n ** 52n + BigInt(index) * 7_919_000_003n) % 2n ** 53n;

async function store(count: number, name: string, status: string): Promise<void> {
  const table = environmentVariable(petTable.nameVariable);
  const items = Array.from({ length: count }, () => ({
    id: { N: `${idOf(stored++)}` },
    name: { S: name },
    categoryId: { N: '9223372036854775807' },
    status: { S: status },
    digest: { B: Buffer.alloc(32, 1).toString('base64') },
  }));
  for (let start = 0; start < items.length; start += 25) {
    const puts = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await dynalite.call('BatchWriteItem', { RequestItems: { [table]: puts } });
  }
}

/** Returns what an init took, which does not wait for a slow call. */
const initConsumption = () =>
  vi.waitUntil(
    () => {
      const used = read();
      return used.calls > 0 && used;
    },
    { timeout: 30_000 },
  );

/** Loads the handlers, with what the init of each took. */
async function loadHandlers() {
  const { handler: list } = await import('../../functions/list-pets.ts');
  const ofList = await initConsumption();
  const { handler: create } = await import('../../functions/create-pet.ts');
  const ofCreate = await initConsumption();
  const { handler: authorize } = await import('../../functions/authorizer.ts');
  return { list, create, authorize, init: { ofList, ofCreate, ofAuthorizer: await initConsumption() } };
}
let handlers: Awaited<ReturnType<typeof loadHandlers>>;
let close: () => Promise<void>;

beforeAll(async () => {
  const dynamodb = await startDynamodb(undefined, endpoint);
  close = dynamodb.close;
  vi.stubEnv('AWS_ENDPOINT_URL', dynamodb.endpoint);
  for (const [name, value] of Object.entries(inject('environment'))) vi.stubEnv(name, value);
  await dynalite.declare(inject('tables'));
  await dynalite.call('PutItem', {
    TableName: environmentVariable(apiKeyTable.nameVariable),
    Item: { keyHash: { S: apiKeyHash(apiKey) }, client: { S: 'acme' }, createdAt: { N: '1795132800' } },
  });
  handlers = await loadHandlers();
});
afterAll(() => close());

const list = (query: string) => invoke(handlers.list, { query });
const create = (fields: object, headers: TestRequest['headers'] = {}) =>
  invoke(handlers.create, {
    method: 'POST',
    body: stringifyJson({ name: 'Bella', categoryId: 1, ...fields }),
    headers,
  });
const authorize = (key: string) =>
  handlers.authorize({ type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn });

it('init takes one harmless call', () => {
  expect(handlers.init).toEqual({
    ofList: costs['init of listPets'],
    ofCreate: costs['init of createPet'],
    ofAuthorizer: costs['init of the authorizer'],
  });
});

/** The indexes that you added, each of which takes as many units of a create as the first. */
const furtherIndexes = Object.keys(petTable.indexes).length - 1;

const pages = [
  ['?limit=20', costs['page of 20 pets']],
  ['?limit=20&status=available', costs['page of 20 pets']],
  ['?limit=100', costs['page of 100 pets']],
  ['?limit=100&status=available', costs['page of 100 pets']],
] as const;

describe.each(sizes)('with %i pets', (size) => {
  beforeAll(async () => {
    // A pet has 115 bytes.
    await store(size - stored, 'x'.repeat(25), 'available');
    read();
  }, 300_000);

  it.each(pages)('no page of GET /pets%s takes more than it returns', async (query, cost) => {
    const { headers, status } = await list(query);
    const [, next] = /\?([^>]*)/.exec(`${headers['Link']}`) ?? [];

    expect(status).toBe(200);
    // Ten pets fit into one page.
    expect(read()).toEqual(size > 10 ? cost : costs['page of 20 pets']);
    if (size <= 10) return;
    expect(next).toContain('cursor=');
    expect(await list(`${next}`)).toMatchObject({ status: 200 });
    expect(read()).toEqual(cost);
  });

  it('a create takes one write of the table and one of the index', async () => {
    expect(await create({ status: 'sold' })).toMatchObject({ status: 201 });

    const { writeUnits } = costs.create;
    expect(read()).toEqual({ ...costs.create, writeUnits: writeUnits + furtherIndexes });
  });

  it.each([
    [201, 'Bella'],
    [422, 'Bello'],
  ])('a repeated create that gets a %i takes one write', async (status, name) => {
    const headers = { 'Idempotency-Key': [`${size}-${name}`] };
    await create({ status: 'sold' }, headers);
    read();

    expect(await create({ name, status: 'sold' }, headers)).toMatchObject({ status });

    expect(read()).toEqual(costs['repeated create, with the same or another body']);
  });

  it('a rejected create makes no call', async () => {
    expect(await create({ name: '' })).toMatchObject({ status: 400 });

    expect(read()).toEqual(costs['rejected create']);
  });
});

// Last, because no page may contain it by chance.
it('a create with the longest name takes two units of the table and two of the index', async () => {
  expect(await create({ name: longestName, status: 'sold' })).toMatchObject({ status: 201 });

  const cost = costs['create with the longest name'];
  expect(read()).toEqual({ ...cost, writeUnits: cost.writeUnits + 2 * furtherIndexes });
});

it('a page of the longest names takes 14 units', async () => {
  await store(101, longestName, 'pending');

  expect(await list('?limit=100&status=pending')).toMatchObject({ status: 200 });

  expect(read()).toEqual(costs['page of 100 pets with the longest names']);
});

it.each([
  ['a valid key', apiKey, costs['authorizer, also for an unknown key']],
  ['an unknown key', generateApiKey('petstore_staging_'), costs['authorizer, also for an unknown key']],
  ['a mistyped key', `${apiKey.slice(0, -1)}!`, costs['authorizer, mistyped key']],
])('the authorizer reads at most once for %s', async (_kind, key, cost) => {
  await authorize(key);

  expect(read()).toEqual(cost);
});

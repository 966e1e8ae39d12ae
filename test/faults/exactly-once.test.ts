import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { petsTable } from '../../shared/tables/table-definitions.ts';
import { faultKinds, type Schedule, seededSchedule, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { dynamodb } from '../support/functions/document-client.ts';
import { captureErrorLog } from '../support/functions/error-log.ts';
import { serviceUnavailable } from '../support/functions/expected-response.ts';
import { invoke, type TestResponse } from '../support/functions/invoke.ts';

const { FAULTS_CREATES } = process.env;
const seed = 20_261_120;
const createCount = Number(FAULTS_CREATES ?? 50);
const clientCount = 16;

/** Of so many calls of DynamoDB each of the faults befalls one: a fifth of them fail. */
const scheduledCalls = 5 * faultKinds.length;

let schedule: Schedule = () => undefined;
const proxy = await startFaultProxy(inject('dynamodbEndpoint'), () => schedule());
vi.stubEnv('AWS_ENDPOINT_URL', proxy.endpoint);
vi.resetModules();
const { handler: createPet } = await import('../../functions/create-pet.ts');
const { handler: getPet } = await import('../../functions/get-pet.ts');
const { handler: listPets } = await import('../../functions/list-pets.ts');

afterAll(() => proxy[Symbol.asyncDispose]());

// Every 503 is logged with its cause.
captureErrorLog();

/** The longest that one request took, in milliseconds. */
let slowest = 0;

async function create(name: string, headers: Record<string, string[]> = {}): Promise<TestResponse> {
  const startedAt = performance.now();
  const body = JSON.stringify({ name, categoryId: 1 });
  const response = await invoke(createPet, { method: 'POST', headers, body });
  slowest = Math.max(slowest, performance.now() - startedAt);
  return response;
}

/** Creates a pet as a client does that keeps trying under one key until it gets a 201. */
async function createWithRetries(name: string): Promise<TestResponse> {
  const response = await create(name, { 'Idempotency-Key': [name] });
  return response.status === 201 ? response : createWithRetries(name);
}

/** Creates pets through the faults, each client one at a time, and gives the responses by the pets' names. */
async function createAll(
  title: string,
  faults: Schedule,
  act: (name: string) => Promise<TestResponse>,
): Promise<ReadonlyMap<string, TestResponse>> {
  schedule = faults;
  const responses = new Map<string, TestResponse>();
  const names = Array.from({ length: createCount }, (_, index) => `${title}-${index}`).values();
  const client = async () => {
    for (const name of names) responses.set(name, await act(name));
  };
  await Promise.all(Array.from({ length: clientCount }, client));
  schedule = () => undefined;
  return responses;
}

/** The pets that the table holds, by their names. */
async function petsByName() {
  const input = { TableName: environmentVariable(petsTable.nameVariable), ConsistentRead: true };
  const pages = await Array.fromAsync(paginateScan({ client: dynamodb }, input));
  return Map.groupBy(
    pages.flatMap(({ Items = [] }) => Items),
    ({ name }): string => name,
  );
}

/** Expects every fault to have been met in time, one pet in the table for each 201, and getPet to find it as created. */
async function expectTrue(created: ReadonlyMap<string, TestResponse>): Promise<void> {
  expect(slowest).toBeLessThan(5000);
  expect(new Set(proxy.injected.keys())).toEqual(new Set(faultKinds));
  const pets = await petsByName();
  expect([...created.keys()].filter((name) => pets.get(name)?.length !== 1)).toEqual([]);
  for (const [name, { body }] of created) {
    const { id } = Object(body);
    expect(body).toEqual({ id, name, categoryId: 1n, status: 'available' });
    expect(await invoke(getPet, { petId: `${id}` })).toMatchObject({ status: 200, body });
  }
  if (FAULTS_CREATES === undefined) return;
  console.log(`${created.size} pets, one each; slowest response ${Math.round(slowest)} ms`);
  console.table(Object.fromEntries(proxy.injected));
}

// A long run has its time.
describe('POST /pets while a fifth of the calls fail', {
  timeout: 30_000 + createCount * 90,
}, () => {
  it('makes exactly one pet a key for clients that keep trying, and every 201 is true', async () => {
    const responses = await createAll('with-key', seededSchedule(seed, scheduledCalls), createWithRetries);

    expect(responses.size).toBe(createCount);
    await expectTrue(responses);
  });

  it('makes at most one pet a request without a key, and every 201 is true', async () => {
    const responses = await createAll('without-key', seededSchedule(seed + 1, scheduledCalls), create);

    const statuses = new Set([...responses.values()].map(({ status }) => status));
    const pets = await petsByName();
    expect([201, 503]).toEqual(expect.arrayContaining([...statuses]));
    expect([...responses.keys()].filter((name) => (pets.get(name) ?? []).length > 1)).toEqual([]);
    await expectTrue(new Map([...responses].filter(([, { status }]) => status === 201)));
  });
});

// The slowest of the faults; test/shared/lambda has each of them.
it('every handler responds 503 with Retry-After before Lambda ends it while DynamoDB is silent', async () => {
  const startedAt = performance.now();

  schedule = () => 'silence';
  const responses = await Promise.all([
    invoke(createPet, { method: 'POST', body: '{"name":"Bella","categoryId":1}' }),
    invoke(getPet, { petId: '1' }),
    invoke(listPets),
  ]);

  expect(performance.now() - startedAt).toBeLessThan(5000);
  expect(responses).toMatchObject([serviceUnavailable, serviceUnavailable, serviceUnavailable]);
});

import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet, examplePet } from '../../shared/contract/operations.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { petsTable } from '../../shared/tables/table-definitions.ts';
import { faultKinds, type Schedule, seededSchedule, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { dynamodb } from '../support/functions/document-client.ts';
import { invoke, type TestResponse } from '../support/functions/invoke.ts';

const { FAULTS_CREATES } = process.env;
const seed = 20_261_120;
const createCount = Number(FAULTS_CREATES ?? 50);
const clientCount = 16;

/** Each fault affects one call in this many, so that a fifth of all calls fail. */
const scheduledCalls = 5 * faultKinds.length;

let schedule: Schedule = () => undefined;
const proxy = await startFaultProxy(inject('dynamodbEndpoint'), () => schedule());
vi.stubEnv('AWS_ENDPOINT_URL', proxy.endpoint);
vi.resetModules();
const { handler: createPet } = await import('../../functions/create-pet.ts');
const { handler: getPet } = await import('../../functions/get-pet.ts');

afterAll(() => proxy[Symbol.asyncDispose]());

// Every 503 is logged with its cause.
captureLog();

/** The longest that one request took, in milliseconds. */
let slowest = 0;

async function create(name: string, headers: Record<string, string[]> = {}): Promise<TestResponse> {
  const startedAt = performance.now();
  const body = stringifyJson({ ...exampleNewPet, name });
  const response = await invoke(createPet, { method: 'POST', headers, body });
  slowest = Math.max(slowest, performance.now() - startedAt);
  return response;
}

/** Creates a pet as a client does that retries a 503 under one key. */
async function createWithRetries(name: string, attempts = 20): Promise<TestResponse> {
  const response = await create(name, { 'Idempotency-Key': [name] });
  const isRetried = response.status === 503 && attempts > 1;
  return isRetried ? createWithRetries(name, attempts - 1) : response;
}

/** Creates pets during the faults, each client one at a time, and returns the responses by the pets' names. */
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

/** Reads the pets in the table, by name. */
async function petsByName() {
  const input = { TableName: environmentVariable(petsTable.nameVariable), ConsistentRead: true };
  const pages = await Array.fromAsync(paginateScan({ client: dynamodb }, input));
  return Map.groupBy(
    pages.flatMap(({ Items = [] }) => Items),
    ({ name }): string => name,
  );
}

/** Expects every fault to have occurred, responses in time, and for each 201 one pet in the table that getPet finds. */
async function expectStoredOnce(created: ReadonlyMap<string, TestResponse>): Promise<void> {
  expect(slowest).toBeLessThan(5000);
  expect(new Set(proxy.injected.keys())).toEqual(new Set(faultKinds));
  const pets = await petsByName();
  expect([...created.keys()].filter((name) => pets.get(name)?.length !== 1)).toEqual([]);
  for (const [name, { body }] of created) {
    const { id } = Object(body);
    expect(body).toEqual({ ...examplePet, id, name });
    expect(await invoke(getPet, { petId: `${id}` })).toMatchObject({ status: 200, body });
  }
  if (FAULTS_CREATES === undefined) return;
  console.log(`${created.size} pets, each stored once; slowest response ${Math.round(slowest)} ms`);
  console.table(Object.fromEntries(proxy.injected));
}

// A long run takes longer.
describe('POST /pets while a fifth of the calls fail', {
  timeout: 30_000 + createCount * 90,
}, () => {
  it('makes exactly one pet per key for clients that retry', async () => {
    const responses = await createAll('with-key', seededSchedule(seed, scheduledCalls), (name) =>
      createWithRetries(name),
    );

    expect(responses.size).toBe(createCount);
    expect(new Set([...responses.values()].map(({ status }) => status))).toEqual(new Set([201]));
    await expectStoredOnce(responses);
  });

  it('makes at most one pet per request without a key', async () => {
    const responses = await createAll('without-key', seededSchedule(seed + 1, scheduledCalls), create);

    const statuses = new Set([...responses.values()].map(({ status }) => status));
    const pets = await petsByName();
    expect([201, 503]).toEqual(expect.arrayContaining([...statuses]));
    expect([...responses.keys()].filter((name) => (pets.get(name) ?? []).length > 1)).toEqual([]);
    await expectStoredOnce(new Map([...responses].filter(([, { status }]) => status === 201)));
  });
});

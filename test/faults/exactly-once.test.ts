import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { petsTable } from '../../shared/tables/table-definitions.ts';
import { faultKinds, type Schedule, seededSchedule, startFaultProxy } from '../support/faults/fault-proxy.ts';
import { dynamodb } from '../support/functions/document-client.ts';
import { invoke, type TestResponse } from '../support/functions/invoke.ts';

const seed = Number(process.env['FAULTS_SEED'] ?? 20_261_120);
const createCount = Number(process.env['FAULTS_CREATES'] ?? 300);
const faultRate = 0.2;
const clientCount = 16;

let schedule: Schedule = () => undefined;
const proxy = await startFaultProxy(inject('dynamodbEndpoint'), () => schedule());
process.env['AWS_ENDPOINT_URL'] = proxy.endpoint;
const { handler: createPet } = await import('../../functions/create-pet.ts');
const { handler: getPet } = await import('../../functions/get-pet.ts');

afterAll(proxy.close);
beforeEach(() => {
  // Every 503 is logged with its cause.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** Creates a pet as a client does that keeps trying under one key until it gets a 201. */
async function createPatiently(name: string): Promise<TestResponse> {
  const response = await create(name, { 'Idempotency-Key': [name] });
  return response.status === 201 ? response : createPatiently(name);
}

/** The longest that one request took, in milliseconds. */
let slowest = 0;

async function create(name: string, headers: Record<string, string[]> = {}): Promise<TestResponse> {
  const startedAt = performance.now();
  const response = await invoke(createPet, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name, categoryId: 1 }),
  });
  slowest = Math.max(slowest, performance.now() - startedAt);
  return response;
}

/** Gives every name to some client, each with one request at a time. */
async function byManyClients(names: readonly string[], act: (name: string) => Promise<TestResponse>) {
  const responses = new Map<string, TestResponse>();
  const remaining = names.values();
  const client = async () => {
    for (const name of remaining) responses.set(name, await act(name));
  };
  await Promise.all(Array.from({ length: clientCount }, client));
  return responses;
}

/** How many pets of each name the table holds. */
async function countByName(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const TableName = environmentVariable(petsTable.nameVariable);
  for await (const { Items = [] } of paginateScan(
    { client: dynamodb },
    { TableName, ConsistentRead: true },
  )) {
    for (const { name } of Items) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

// A long run has its time.
const timeout = 30_000 + createCount * 90;

describe(`POST /pets at a fault rate of ${faultRate} (seed ${seed})`, { timeout }, () => {
  it('makes exactly one pet a key for clients that keep trying, and every 201 is true', async () => {
    const names = Array.from({ length: createCount }, (_, index) => `with-key-${index}`);

    schedule = seededSchedule(seed, faultRate, faultKinds);
    const responses = await byManyClients(names, createPatiently);
    schedule = () => undefined;

    const counts = await countByName();
    expect(names.filter((name) => counts.get(name) !== 1)).toEqual([]);
    await expectReadable(responses);
    report('with Idempotency-Key', names, counts);
  });

  it('makes at most one pet a request without a key, and every 201 is true', async () => {
    const names = Array.from({ length: createCount }, (_, index) => `without-key-${index}`);

    schedule = seededSchedule(seed + 1, faultRate, faultKinds);
    const responses = await byManyClients(names, (name) => create(name));
    schedule = () => undefined;

    const created = new Map([...responses].filter(([, { status }]) => status === 201));
    const failed = [...responses.values()].filter(({ status }) => status !== 201);
    const counts = await countByName();
    expect(failed.filter(({ status }) => status !== 503)).toEqual([]);
    expect(names.filter((name) => (counts.get(name) ?? 0) > 1)).toEqual([]);
    expect([...created.keys()].filter((name) => counts.get(name) !== 1)).toEqual([]);
    await expectReadable(created);
    report('without', [...created.keys()], counts);
  });

  it('met every kind of fault, and responded within 5 seconds all the same', () => {
    expect(slowest).toBeLessThan(5000);
    expect(new Set(proxy.injected.keys())).toEqual(new Set(faultKinds));
  });
});

/** Expects that what a create responded with is what getPet finds. */
async function expectReadable(created: ReadonlyMap<string, TestResponse>): Promise<void> {
  for (const [name, { body }] of created) {
    const { id } = Object(body);
    expect(body).toEqual({ id, name, categoryId: 1n, status: 'available' });
    const found = await invoke(getPet, { petId: `${id}` });
    expect(found).toMatchObject({ status: 200, body });
  }
}

/** Prints the figures of a long run. */
function report(title: string, expected: readonly string[], counts: ReadonlyMap<string, number>): void {
  if (process.env['FAULTS_CREATES'] === undefined) return;
  const found = expected.reduce((sum, name) => sum + (counts.get(name) ?? 0), 0);
  console.log(
    `${title}: ${expected.length} pets expected, ${found} found, slowest response ${Math.round(slowest)} ms`,
  );
  console.table(Object.fromEntries(proxy.injected));
}

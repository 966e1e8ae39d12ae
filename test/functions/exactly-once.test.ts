import { subscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import pMap from 'p-map';
import * as v from 'valibot';
import { afterAll, describe, expect, inject, it, vi } from 'vitest';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet, examplePet } from '../../shared/pets/operations.ts';
import { petTable } from '../../shared/pets/pet-table.ts';
import { openTable } from '../../shared/tables/table.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke, type TestResponse } from '../support/functions/invoke.ts';
import { allItems } from '../support/functions/stored-items.ts';
import {
  forwardCall,
  respondAs,
  respondJson,
  type StubCall,
  startStubDynamodb,
} from '../support/functions/stub-dynamodb.ts';

const { FAULTS_CREATES } = process.env;
const createCount = Number(FAULTS_CREATES ?? 50);

const endpoint = inject('dynamodbEndpoint');
const fail = (status: number, type: string) => (_call: StubCall, response: ServerResponse) =>
  respondJson(response, status, { __type: `com.amazonaws.dynamodb.v20120810#${type}` });

/** The connections to DynamoDB, by their ports on this side. */
const connections = new Map<number | undefined, Socket>();
subscribe('net.client.socket', (message) => {
  const { socket } = message as { readonly socket: Socket };
  socket.once('connect', () => connections.set(socket.localPort, socket));
});

/** Ends a silence as its limit of time does, without waiting for it: a busy machine might exceed a short one. */
const endSilence = (_call: StubCall, response: ServerResponse) =>
  void connections.get(response.socket?.remotePort)?.emit('timeout');

/** What can go wrong with a DynamoDB call. */
const faults: Readonly<Record<string, Parameters<typeof startStubDynamodb>[0]>> = {
  ProvisionedThroughputExceededException: fail(400, 'ProvisionedThroughputExceededException'),
  ThrottlingException: fail(400, 'ThrottlingException'),
  'internal error': fail(500, 'InternalServerError'),
  silence: FAULTS_CREATES === undefined ? endSilence : () => undefined,
  'reset before the write': (_call, response) => response.socket?.resetAndDestroy(),
  'reset after the write': async (call, response) => {
    await forwardCall(endpoint, call);
    response.socket?.resetAndDestroy();
  },
  'garbage after the write': async (call, response) => {
    await forwardCall(endpoint, call);
    response.end('<html>\u0000');
  },
  delay: async (call, response) => {
    await pause(50);
    await respondAs(endpoint, call, response);
  },
};

// While `isFailing`, a fifth of the calls fail, in a fixed random order.
const kinds = Object.keys(faults);
const cycle = Array.from({ length: 5 * kinds.length }, (_, index) => kinds[index]);
const shuffled = fc.shuffledSubarray(cycle, { minLength: cycle.length });
const schedule = fc.sample(shuffled, { seed: 20_261_120, numRuns: 1000 }).flat().values();
const injected = Object.fromEntries(kinds.map((kind) => [kind, 0]));
let isFailing = false;
const proxy = await startStubDynamodb((call, response) => {
  const kind = (isFailing && schedule.next().value) || '';
  const injectFault = faults[kind];
  if (!injectFault) return respondAs(endpoint, call, response);
  injected[kind] = (injected[kind] ?? 0) + 1;
  return injectFault(call, response);
});
// Many creates measure the limits of the service.
if (FAULTS_CREATES !== undefined) vi.doUnmock('../../shared/lambda/time-limits.ts');
vi.stubEnv('AWS_ENDPOINT_URL', proxy.endpoint);
vi.resetModules();
const { handler: createPet } = await import('../../functions/create-pet.ts');
const { readItem } = await import('../../shared/tables/read-item.ts');

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

/** Creates a pet like a client that retries a 503 with one key. */
async function createWithRetries(name: string, attempts = 20): Promise<TestResponse> {
  const response = await create(name, { 'Idempotency-Key': [name] });
  const isRetried = response.status === 503 && attempts > 1;
  return isRetried ? createWithRetries(name, attempts - 1) : response;
}

describe('POST /pets while a fifth of the calls fail', { timeout: 120_000 + createCount * 90 }, () => {
  it.each([
    ['stores one pet per key for clients that retry', createWithRetries, [201]],
    ['stores at most one pet per request without a key', create, [201, 503]],
  ])('%s', async (title, createOne, statuses) => {
    const names = Array.from({ length: createCount }, (_, index) => `${createOne.name}-${index}`);

    isFailing = true;
    const responses = await pMap(names, (name) => createOne(name), { concurrency: 16 });
    isFailing = false;

    expect(statuses).toEqual(expect.arrayContaining(responses.map(({ status }) => status)));
    expect(Object.values(injected)).not.toContain(0);
    const stored = Map.groupBy(await allItems(petTable), (item) => item['name']);
    const outcomes = responses.map((response, index) => {
      const name = names[index];
      const pets = stored.get(name) ?? [];
      return { ...response, name, pets, id: pets[0]?.['id'] };
    });
    const created = outcomes.filter(({ status }) => status === 201);
    // A 503 does not tell whether the pet was stored.
    const alsoStored = outcomes.filter(({ status, pets }) => status === 503 && pets.length > 0);
    for (const { name, pets, id } of [...created, ...alsoStored]) {
      expect(pets).toMatchObject([{ ...examplePet, id, name }]);
    }
    for (const { name, id, body } of created) {
      expect(body).toEqual({ ...examplePet, id, name });
      expect(await readItem(openTable(petTable), { id: v.parse(v.bigint(), id) })).toEqual(body);
    }
    if (FAULTS_CREATES === undefined) return;
    // Not beside other tests, which slow it down.
    expect(slowest).toBeLessThan(5000);
    console.log(`${title}: ${createCount} creates; slowest response ${Math.round(slowest)} ms`);
    console.table(injected);
  });
});

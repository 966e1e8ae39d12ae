import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/pets/operations.ts';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';
import { largestPages, petOf, readPagesWith } from '../support/e2e/pets.ts';

const milo = { ...exampleNewPet, name: 'Milo', categoryId: 3, status: 'available' };
const reordered = Object.fromEntries(Object.entries(milo).reverse());

const create = (key: string, body: unknown = milo) =>
  call('POST', '/pets', { headers: { 'Idempotency-Key': key }, body });

/** Creates as a client does that waits when it is throttled: a stage may allow fewer creates at once. */
async function createInTime(key: string, body: unknown) {
  for (;;) {
    const response = await create(key, body);
    if (response.status !== 429) return response;
    await wait(1000 * Number(response.headers['retry-after']));
  }
}

describe('Idempotency-Key', () => {
  it('replays a create, however key and body are formatted', async () => {
    const key = randomUUID();

    const first = await create(key);
    const repeated = [
      await create(key),
      await create(`"${key}"`),
      await create(key, stringifyJson(reordered).replace('Milo', '\\u004dilo')),
    ];

    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    for (const response of repeated) {
      const { location } = first.headers;
      const headers = { location, 'idempotency-replayed': 'true' };
      expect(response).toMatchObject({ status: 201, text: first.text, headers });
    }
  });

  it('rejects a key that is sent again with another body', async () => {
    const key = randomUUID();
    const first = await create(key);

    const reused = await create(key, { ...milo, status: 'sold' });

    expectError(reused, 422, 'idempotency_key_reused');
    expect((await create(key)).text).toBe(first.text);
  });

  it('creates one pet for a hundred clients at once', async () => {
    const key = randomUUID();
    const body = { ...milo, name: `Parallel ${key}`, status: 'sold' };

    const created = await Promise.all(Array.from({ length: 100 }, () => createInTime(key, body)));
    const pages = await readPagesWith(created.map(petOf), `?${largestPages}&status=sold`);

    expect(new Set(created.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(pages.flatMap(({ pets }) => pets).filter(({ name }) => name === body.name)).toHaveLength(1);
  });
});

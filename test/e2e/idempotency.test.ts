import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';

const milo = { name: 'Milo', categoryId: 3, status: 'available' };

const create = (key: string, body: unknown = milo) =>
  call('POST', '/pets', { headers: { 'Idempotency-Key': key }, body });

describe('Idempotency-Key', () => {
  it('makes a repeated create respond with the pet of the first one, however key and body are written', async () => {
    const key = randomUUID();

    const first = await create(key);
    const repeated = [
      await create(key),
      await create(`"${key}"`),
      await create(key, '{ "colour": "brown", "categoryId": 3.0, "name": "\\u004dilo" }'),
    ];

    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    for (const response of repeated) {
      const { location } = first.headers;
      const headers = { location, 'idempotency-replayed': 'true' };
      expect(response).toMatchObject({ status: 201, text: first.text, headers });
    }
  });

  it.each([
    { ...milo, name: 'milo' },
    { ...milo, categoryId: 4 },
    { ...milo, status: 'sold' },
  ])('refuses a key that is sent again with another body: %j', async (body) => {
    const key = randomUUID();
    const first = await create(key);

    const reused = await create(key, body);

    expectError(reused, 422, 'idempotency_key_reused');
    expect((await create(key)).text).toBe(first.text);
  });

  it('does not spend a key on a body that is refused', async () => {
    const key = randomUUID();

    const refused = await create(key, { name: 'Milo' });
    const created = await create(key);

    expectError(refused, 400, 'invalid_body', 'categoryId is required.');
    expect(created.status).toBe(201);
    expect(created.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('refuses a key of two words', async () => {
    const message = 'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.';

    expectError(await create('two words'), 400, 'invalid_header', message);
  });
});

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';

const milo = { name: 'Milo', categoryId: 3, status: 'available' };

const create = (key: string, body: unknown = milo) =>
  call('POST', '/pets', { headers: { 'Idempotency-Key': key }, body });

describe('Idempotency-Key', () => {
  it('makes a repeated create respond with the pet of the first one', async () => {
    const key = randomUUID();

    const first = await create(key);
    const second = await create(key);

    expect(first.status).toBe(201);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(second.status).toBe(201);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.headers['location']).toBe(first.headers['location']);
    expect(second.text).toBe(first.text);
  });

  it.each([
    ['its fields in another order', '{"status":"available","categoryId":3,"name":"Milo"}'],
    ['its default status left out', '{"name":"Milo","categoryId":3}'],
    ['another spelling of its values', '{ "name": "\\u004dilo", "categoryId": 3.0 }'],
    ['another unknown field', '{"name":"Milo","categoryId":3,"colour":"brown"}'],
  ])('takes a body with %s for the same one', async (_title, body) => {
    const key = randomUUID();
    const first = await create(key);

    const second = await create(key, body);

    expect(second.status).toBe(201);
    expect(second.text).toBe(first.text);
  });

  it.each([
    { ...milo, name: 'milo' },
    { ...milo, categoryId: 4 },
    { ...milo, status: 'sold' },
  ])('refuses a key that is sent again with another body: %j', async (body) => {
    const key = randomUUID();
    const first = await create(key);

    const reused = await create(key, body);
    const repeated = await create(key);

    expectError(reused, 422, 'idempotency_key_reused');
    expect(repeated.text).toBe(first.text);
  });

  it('does not spend a key on a body that is refused', async () => {
    const key = randomUUID();

    const refused = await create(key, { name: 'Milo' });
    const created = await create(key);

    expectError(refused, 400, 'invalid_body', 'categoryId is required.');
    expect(created.status).toBe(201);
    expect(created.headers).not.toHaveProperty('idempotency-replayed');
  });

  it('names the same key in its quoted and its bare form', async () => {
    const key = randomUUID();

    const bare = await create(key);
    const quoted = await create(`"${key}"`);

    expect(quoted.status).toBe(201);
    expect(quoted.headers['idempotency-replayed']).toBe('true');
    expect(quoted.text).toBe(bare.text);
  });

  it.each([
    ['of two words', 'two words'],
    ['of 256 characters', 'x'.repeat(256)],
  ])('refuses a key %s', async (_title, key) => {
    const response = await create(key);

    expectError(
      response,
      400,
      'invalid_header',
      'Idempotency-Key must be given once, as 1 to 255 visible ASCII characters.',
    );
  });
});

import { describe, expect, it } from 'vitest';
import { PetStatus } from '../../shared/pets/pet.ts';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';
import { readPage } from '../support/e2e/pets.ts';

/**
 * Read-only checks of a stage: only those in `smoke*` may run against production. Every response is also compared
 * with the interface description.
 */
describe('a stage', () => {
  it('lists two pages', async () => {
    const { pets, next } = await readPage('?limit=2');
    const others = next ? (await readPage(next.search)).pets : [];

    expect(pets.length).toBeLessThanOrEqual(2);
    const ids = new Set([...pets, ...others].map(({ id }) => id));
    expect(ids.size).toBe(pets.length + others.length);
  });

  it.each(PetStatus.options)('lists the %s pets', async (status) => {
    const { pets } = await readPage(`?status=${status}&limit=5`);

    expect(pets.filter((pet) => pet.status !== status)).toEqual([]);
  });

  it('rejects an invalid key, parameter, body or path', async () => {
    for (const Authorization of [undefined, 'Bearer no'])
      expectError(await call('GET', '/pets', { headers: { Authorization } }), 401, 'unauthorized');
    expect((await call('GET', '/pets?limit=0')).status).toBe(400);
    expect((await call('POST', '/pets', { body: {} })).status).toBe(400);
    expectError(await call('GET', '/no-such-path'), 404, 'not_found');
  });
});

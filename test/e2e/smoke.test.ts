import { describe, expect, inject, it } from 'vitest';
import { getPet } from '../../shared/pets/operations.ts';
import { PetStatus } from '../../shared/pets/pet.ts';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';
import { readPage } from '../support/e2e/pets.ts';

/**
 * Read-only checks of a stage, the only ones that may run against production. Every response is also
 * compared with the interface description.
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

  it('gets a pet that it lists', async () => {
    const [pet] = (await readPage('?limit=1')).pets;
    // The local API of the tests has a clock of its own.
    const hasEnded = !inject('localApi') && Date.now() >= Date.parse(getPet.deprecation.sunset);

    const response = await call('GET', `/pets/${pet?.id ?? 1}`);

    if (hasEnded) expectError(response, 410, 'gone');
    else if (pet) expect(response.body).toEqual(pet);
    else expectError(response, 404, 'not_found');
  });

  it('rejects an invalid key, parameter, body or path', async () => {
    for (const Authorization of [undefined, 'Bearer no'])
      expectError(await call('GET', '/pets', { headers: { Authorization } }), 401, 'unauthorized');
    expect((await call('GET', '/pets?limit=0')).status).toBe(400);
    expect((await call('POST', '/pets', { body: {} })).status).toBe(400);
    expectError(await call('GET', '/no-such-path'), 404, 'not_found');
  });
});

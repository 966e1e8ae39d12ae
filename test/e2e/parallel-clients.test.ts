import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { createOnce, petOf, readPagesWith } from '../support/e2e/pets.ts';

const hundred = Array.from({ length: 100 }, (_, index) => index);

describe('a hundred clients at once', () => {
  it('get a pet each, which is found and listed from then on', async () => {
    const created = await Promise.all(
      hundred.map((index) => createOnce({ name: `Parallel ${index}`, categoryId: index })),
    );
    const pets = created.map(petOf);
    const got = await Promise.all(pets.map(({ id }) => call('GET', `/pets/${id}`)));
    const pages = await readPagesWith(pets, '?limit=100');

    expect(new Set(created.map(({ status }) => status))).toStrictEqual(new Set([201]));
    expect(new Set(pets.map(({ id }) => id)).size).toBe(100);
    expect(pets.map(({ name }) => name)).toStrictEqual(hundred.map((index) => `Parallel ${index}`));
    expect(got.map(({ text }) => text)).toStrictEqual(created.map(({ text }) => text));
    expect(pages.flatMap((page) => page.pets)).toEqual(expect.arrayContaining(pets));
  });

  it('get one and the same pet with one Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { name: `Parallel ${randomUUID()}`, categoryId: 1, status: 'sold' };

    const created = await Promise.all(hundred.map(() => call('POST', '/pets', { headers, body })));
    const pets = created.map(petOf);
    const pages = await readPagesWith(pets, '?limit=100&status=sold');

    expect(new Set(created.map(({ status }) => status))).toStrictEqual(new Set([201]));
    expect(new Set(pets.map(({ id }) => id)).size).toBe(1);
    expect(pages.flatMap((page) => page.pets).filter(({ name }) => name === body.name)).toHaveLength(1);
  });
});

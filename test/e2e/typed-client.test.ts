import createClient from 'openapi-fetch';
import { describe, expect, it } from 'vitest';
import type { paths } from '../api-types/pet-store.ts';
import { apiKey, baseUrl, fetchAsDescribed } from '../support/e2e/api-client.ts';
import { createAllOnce, readPagesWith } from '../support/e2e/pets.ts';

const api = createClient<paths>({
  baseUrl,
  headers: { Authorization: `Bearer ${apiKey}` },
  fetch: fetchAsDescribed,
});

describe('a client with the types of the interface description', () => {
  it('creates a pet and gets it', async () => {
    const { data: created, response } = await api.POST('/pets', {
      params: { header: { 'Idempotency-Key': 'typed-client' } },
      body: { name: 'Bella', categoryId: 1 },
    });
    const { data: got } = await api.GET('/pets/{petId}', { params: { path: { petId: created?.id ?? 0 } } });

    expect(response.status).toBe(201);
    expect(created).toStrictEqual({
      id: expect.any(Number),
      name: 'Bella',
      categoryId: 1,
      status: 'available',
    });
    expect(got).toStrictEqual(created);
  });

  it('lists the pets of a status, from page to page', async () => {
    const newPets = ['Milo', 'Nala', 'Otto'].map((name) => ({ name, categoryId: 7, status: 'sold' }));
    const created = await createAllOnce(newPets);
    await readPagesWith(created, '?limit=100&status=sold');

    const listed = [];
    let cursor: string | null | undefined;
    do {
      const query = { status: 'sold', limit: 2, ...(cursor && { cursor }) } as const;
      const { data = [], response } = await api.GET('/pets', { params: { query } });
      listed.push(...data);
      const next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
      cursor = next && new URL(next).searchParams.get('cursor');
    } while (cursor);

    expect(listed).toEqual(expect.arrayContaining(created));
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    expect(new Set(listed.map(({ status }) => status))).toStrictEqual(new Set(['sold']));
  });

  it('is told of an error', async () => {
    const { data, error } = await api.GET('/pets', { params: { query: { limit: 101 } } });

    expect(data).toBeUndefined();
    expect(error).toStrictEqual({
      code: 'invalid_query',
      message: 'limit must be an integer from 1 to 100.',
      status: 400,
    });
  });

  it('does not compile with a wrong field, which the API refuses too', async () => {
    const { error } = await api.POST('/pets', {
      // @ts-expect-error The field is called name.
      body: { petName: 'Bella', categoryId: 1 },
    });

    expect(error?.code).toBe('invalid_body');
  });

  it('does not compile with a wrong status, which the API refuses too', async () => {
    // @ts-expect-error The statuses are available, pending and sold.
    const { error } = await api.GET('/pets', { params: { query: { status: 'lost' } } });

    expect(error?.code).toBe('invalid_query');
  });
});

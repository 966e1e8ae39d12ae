import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/get-pet.ts';
import { insertPet } from '../../shared/pets-table.ts';
import { invoke } from './invoke.ts';

const notFound = { code: 'not_found', message: 'The requested resource could not be found.', status: 404n };

describe('GET /pets/{petId}', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('answers a pet that exists', async () => {
    const { pet } = await insertPet(
      { name: 'Bella', categoryId: 1n, status: 'sold' },
      { client: 'acme', key: 'one' },
    );

    const answer = await invoke(handler, { petId: `${pet.id}` });

    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id: pet.id, name: 'Bella', categoryId: 1n, status: 'sold' });
  });

  it.each(['12', '0', '-1', '+1', '01', '1.0', '1e3', 'abc', '9223372036854775808', '١'])(
    'answers 404 for %s, which no pet has',
    async (petId) => {
      const answer = await invoke(handler, { petId });

      expect(answer.status).toBe(404);
      expect(answer.body).toEqual(notFound);
    },
  );

  it('announces its end with every answer', async () => {
    const answer = await invoke(handler, { petId: '12' });

    expect(answer.headers).toMatchObject({
      Deprecation: '@1795132800',
      Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
      Link: '<http://pets.example/v1/pets>; rel="successor-version"',
    });
  });

  it.each([
    ['still answers', '2030-12-04T23:59:59.999Z', 404],
    ['is gone', '2030-12-05T00:00:00.000Z', 410],
  ])('%s at %s', async (_title, now, status) => {
    vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });

    const answer = await invoke(handler, { petId: '12' });

    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({ Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' });
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/list-pets.ts';
import { pageSize } from '../../shared/paging/page-query.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { commonHeaders } from '../support/functions/expected-response.ts';
import { invoke } from '../support/functions/invoke.ts';
import { nextQueryOf } from '../support/functions/next-query.ts';
import { putPet, removeEveryPet, storePets } from '../support/functions/stored-pets.ts';

const log = captureLog();

describe('GET /pets', () => {
  beforeEach(removeEveryPet);

  it('lists as many pets as the default, with a link to the others', async () => {
    const pets = await storePets(2 * pageSize.default);
    await putPet(99n, { status: 'available' });

    const first = await invoke(handler, { query: 'status=sold' });
    const last = await invoke(handler, { query: nextQueryOf(first, '/pets') ?? '' });

    expect([first.status, last.status]).toEqual([200, 200]);
    expect([first.body, last.body]).toEqual([pets.slice(0, pageSize.default), pets.slice(pageSize.default)]);
    expect([first.headers, last.headers]).toMatchObject([commonHeaders, commonHeaders]);
    expect(nextQueryOf(first, '/pets')).toMatch(/^limit=20&status=sold&cursor=[\w-]+$/);
    expect(nextQueryOf(last, '/pets')).toBeUndefined();
  });

  it.each([
    ['', 2],
    ['status=sold', 1],
  ])('returns a status that a later version stored as it is (%s)', async (query, count) => {
    await putPet(12n, { status: 'unknown' });
    await putPet(13n, { categoryId: -(2n ** 63n) });

    const { body } = await invoke(handler, { query });

    const stored = [
      { id: 13n, status: 'sold', categoryId: -(2n ** 63n) },
      { id: 12n, status: 'unknown' },
    ];
    expect(body).toHaveLength(count);
    expect(body).toEqual(
      expect.arrayContaining(stored.slice(0, count).map((pet) => expect.objectContaining(pet))),
    );
    expect(log.errors()).toEqual([]);
  });
});

import { expect, it } from 'vitest';
import { handler } from '../../functions/list-pets.ts';
import { pageSize } from '../../shared/paging/page-query.ts';
import { commonHeaders } from '../support/functions/expected-response.ts';
import { invoke } from '../support/functions/invoke.ts';
import { nextQueryOf } from '../support/functions/next-query.ts';
import { putPet, removeEveryPet, storePets } from '../support/functions/stored-pets.ts';

it('GET /pets lists as many pets as the default, with a link to the others', async () => {
  await removeEveryPet();
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

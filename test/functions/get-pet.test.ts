import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/get-pet.ts';
import { examplePet } from '../../shared/contract/operations.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { commonHeaders, errorResponse, internalError } from '../support/functions/expected-response.ts';
import { invoke } from '../support/functions/invoke.ts';
import { putPet, removeEveryPet } from '../support/functions/stored-pets.ts';

const log = captureLog();

const announcement = {
  Deprecation: '@1795132800',
  Sunset: 'Thu, 05 Dec 2030 00:00:00 GMT',
  Link: '<https://pets.example/v1/pets>; rel="successor-version"',
};

const found = {
  status: 200,
  headers: { ...commonHeaders, ...announcement },
  body: { ...examplePet, id: 12n, status: 'sold' },
};
const notFound = errorResponse(404, 'not_found', 'The requested resource could not be found.', announcement);
const removed = 'This operation has been removed. If another one replaces it, its URL is in the Link header.';
const gone = errorResponse(410, 'gone', removed, announcement);

describe('GET /pets/{petId}', () => {
  beforeEach(removeEveryPet);

  it.each([
    ['responds with a pet', '2030-12-04T23:59:59.999Z', found],
    ['is gone', '2030-12-05T00:00:00.000Z', gone],
  ])('%s at %s', async (_title, at, expected) => {
    await putPet(12n);

    const response = await invoke(handler, { at, pathParameters: { petId: '12' } });

    expect(response).toEqual(expected);
  });

  it.each(['12', '0'])('responds with 404 for the unknown id %s', async (petId) => {
    const response = await invoke(handler, { at: '2026-12-01', pathParameters: { petId } });

    expect(response).toEqual(notFound);
  });

  it('responds with 500 for a damaged pet', async () => {
    await putPet(12n, { name: '' });

    const response = await invoke(handler, { at: '2026-12-01', pathParameters: { petId: '12' } });

    expect(response).toEqual({ ...internalError, headers: { ...internalError.headers, ...announcement } });
    expect(log.errors()).toContainEqual(expect.stringContaining('"table":"pets"'));
  });
});

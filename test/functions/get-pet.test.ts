import { beforeEach, describe, expect, it } from 'vitest';
import { handler } from '../../functions/get-pet.ts';
import { examplePet, getPet } from '../../shared/pets/operations.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { commonHeaders, errorResponse } from '../support/functions/expected-response.ts';
import { invoke } from '../support/functions/invoke.ts';
import { putPet, removeEveryPet } from '../support/functions/stored-pets.ts';

captureLog();

// An owner may give clients more time.
const sunset = new Date(getPet.deprecation.sunset);
const before = new Date(sunset.getTime() - 1).toISOString();

const announcement = {
  Deprecation: '@1795132800',
  Sunset: sunset.toUTCString(),
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
    ['responds with a pet', before, found],
    ['is gone', sunset.toISOString(), gone],
  ])('%s at %s', async (_title, at, expected) => {
    await putPet(12n);

    const response = await invoke(handler, { at, pathParameters: { petId: '12' } });

    expect(response).toEqual(expected);
  });

  it('responds with 404 for an unknown id', async () => {
    const response = await invoke(handler, { at: before, pathParameters: { petId: '12' } });

    expect(response).toEqual(notFound);
  });
});

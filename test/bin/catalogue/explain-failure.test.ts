import { describe, expect, it } from 'vitest';
import { explainFailure } from '../../../bin/catalogue/explain-failure.ts';
import { PetStoreError } from '../../../shared/client/pet-store-client.ts';

const baseUrl = 'http://pets.example/v1';
const noPetStore = 'There is no pet store at http://pets.example/v1: check --base-url.';

describe('the explanation of a failure', () => {
  it.each([
    ['unauthorized', 401, 'The API does not accept the key: set API_KEY to a good one.'],
    ['not_found', 404, noPetStore],
    ['unexpected_response', 200, noPetStore],
    ['too_many_requests', 429, 'The API keeps responding with 429: try again later.'],
    ['unexpected_response', 502, 'The API keeps responding with 502: try again later.'],
    ['timeout', 0, 'The API does not respond in time: try again later.'],
    ['unreachable', 0, 'No API responds at http://pets.example/v1: start it, or give its --base-url.'],
    ['gone', 410, 'The API responds with 410: It is gone.'],
  ])('says of %s with %i what to do', (code, status, explanation) => {
    expect(explainFailure(new PetStoreError(code, 'It is gone.', status), baseUrl)).toBe(explanation);
  });

  it('is the message of any other error', () => {
    expect(explainFailure(new Error('There is no such file.'), baseUrl)).toBe('There is no such file.');
    expect(explainFailure('Nothing works.', baseUrl)).toBe('Nothing works.');
  });
});

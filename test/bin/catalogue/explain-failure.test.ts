import { expect, it } from 'vitest';
import { explainFailure } from '../../../bin/catalogue/explain-failure.ts';
import { PetStoreError } from '../../../shared/client/pet-store-client.ts';

const baseUrl = 'http://pets.example/v1';
const noPetStore = 'There is no pet store at http://pets.example/v1: check --base-url.';
const failure = (code: string, status: number) => new PetStoreError(code, 'It is gone.', status);

it.each([
  [failure('unauthorized', 401), 'The API does not accept the key: set API_KEY to a good one.'],
  [failure('not_found', 404), noPetStore],
  [failure('unexpected_response', 200), noPetStore],
  [failure('too_many_requests', 429), 'The API keeps responding with 429: try again later.'],
  [failure('unexpected_response', 500), 'The API keeps responding with 500: try again later.'],
  [failure('timeout', 0), 'The API does not respond in time: try again later.'],
  [failure('unreachable', 0), 'No API responds at http://pets.example/v1: start it, or give its --base-url.'],
  [failure('gone', 410), 'The API responds with 410: It is gone.'],
  [new Error('There is no such file.'), 'There is no such file.'],
  ['Nothing works.', 'Nothing works.'],
])('a failure (%s) is explained in a line that says what to do', (error, explanation) => {
  expect(explainFailure(error, baseUrl)).toBe(explanation);
});

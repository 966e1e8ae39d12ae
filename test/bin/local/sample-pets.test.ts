import { expect, it } from 'vitest';
import { createSamplePets } from '../../../bin/local/sample-pets.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { examplePet } from '../../../shared/contract/operations.ts';
import { respond, type StubResponse, startStubApi } from '../../support/client/stub-api.ts';

const rejection = (status: number, code: string) =>
  respond(status, { code, message: 'It says why.', status });

/** Creates two sample pets at an API with these responses. */
async function createTwo(...responses: readonly StubResponse[]) {
  const { baseUrl } = await startStubApi(...responses);
  return createSamplePets(2, { baseUrl, apiKey: 'key' });
}

it('createSamplePets keeps sample pets with changed fields', async () => {
  const changed = rejection(422, 'idempotency_key_reused');
  const listed = respond(200, stringifyJson([examplePet]));

  expect(await createTwo(changed, changed, listed)).toBe(examplePet.id.toString());
});

it('createSamplePets reports why sample pets cannot be created', async () => {
  await expect(createTwo(rejection(400, 'invalid_body'))).rejects.toThrow('It says why.');
});

import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { createSamplePets } from '../../../bin/local/sample-pets.ts';
import { listen } from '../../../infra/local/http/listen.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { examplePet } from '../../../shared/contract/operations.ts';
import { respond } from '../../support/client/stub-api.ts';

/** Starts an API that has a pet and responds to every create with an error. */
async function startApi(status: number, code: string) {
  const server = createServer((request, response) => {
    if (request.method === 'GET') respond(200, stringifyJson([examplePet]))(response);
    else respond(status, { code, message: 'It says why.', status })(response);
  });
  const port = await listen(server);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'key' };
}

it('createSamplePets leaves sample pets with changed fields alone', async () => {
  const api = await startApi(422, 'idempotency_key_reused');

  expect(await createSamplePets(3, api)).toBe(examplePet.id.toString());
});

it('createSamplePets reports why sample pets cannot be created', async () => {
  const api = await startApi(400, 'invalid_body');

  await expect(createSamplePets(3, api)).rejects.toThrow('It says why.');
});

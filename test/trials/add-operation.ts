import assert from 'node:assert/strict';
import type { RepositoryCopy } from './repository-copy.ts';

const operation = `/** The status of a pet. */
export const getPetStatus = {
  operationId: 'getPetStatus',
  method: 'GET',
  path: '/pets/{petId}/status',
  summary: 'Get the status of a pet',
  description: 'Returns the status of a pet.',
  parameters: getPet.parameters,
  success: 200,
  response: {
    description: 'The status.',
    schema: v.pick(Pet, ['status']),
    example: { status: examplePet.status },
    headers: {},
  },
  errors: ['invalid_request', 'not_found'],
} as const satisfies Operation;

/** Every operation of the API. */
export const operations = { listPets, createPet, getPet, getPetStatus }`;

const handler = `import { ApiError } from '../shared/contract/errors/error-table.ts';
import { parse } from '../shared/contract/errors/parse.ts';
import type { getPetStatus } from '../shared/contract/operations.ts';
import { PetId } from '../shared/contract/schemas/pet.ts';
import { apiHandler, json } from '../shared/http/api-handler.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { readPet } from '../shared/tables/pets-table.ts';

export const handler = apiHandler().handler(async ({ pathParameters }) => {
  const id = parse(PetId, pathParameters?.['petId'], 'not_found');

  const pet = await readPet(id);

  if (!pet) throw new ApiError('not_found');
  return json<typeof getPetStatus>(200, { status: pet.status }, {});
});

await warmUp(() => readPet(0n));
`;

const test = `import { expect, it } from 'vitest';
import { handler } from '../../functions/get-pet-status.ts';
import { invoke } from '../support/functions/invoke.ts';

it('responds with 404 for the status of a pet that does not exist', async () => {
  expect(await invoke(handler, { pathParameters: { petId: '12' } })).toMatchObject({ status: 404 });
});
`;

const e2eTest = `import { expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';

it('responds with 404 for the status of a pet that does not exist', async () => {
  expect(await call('GET', '/pets/12/status')).toMatchObject({ status: 404 });
});
`;

const settings = `getPetStatus: {
    throttling: { rateLimit: 100, burstLimit: 100 },
    permissions: { table: ['dynamodb:GetItem'] },
  },
  getPet: {`;

const releaseCheck = `getPetStatus: [{ pathParameters: { petId: '0' } }, [404]],
  createPet:`;

const request = `
### Get the status of a pet

GET {{baseUrl}}/pets/{{created.response.body.id}}/status
Authorization: Bearer {{apiKey}}
`;

/** Adds the operation `GET /pets/{petId}/status`, as CONTRIBUTING.md describes. */
export const addOperation = {
  section: 'To add an operation',
  tests: [
    'test/functions',
    'test/shared/tables',
    'test/infra/settings',
    'test/infra/requests-http',
    'test/e2e/get-pet-status',
  ],

  edit(copy: RepositoryCopy) {
    const last =
      '/** Every operation of the API. */\nexport const operations = { listPets, createPet, getPet }';
    copy.edit('shared/contract/operations.ts', last, operation);
    copy.write('functions/get-pet-status.ts', handler);
    copy.edit('infra/settings/operation-settings.ts', 'rateLimit: 400', 'rateLimit: 300');
    copy.edit('infra/settings/operation-settings.ts', 'getPet: {', settings);
    copy.edit('infra/release/check.ts', 'createPet:', releaseCheck);
    copy.write('test/functions/get-pet-status.test.ts', test);
    copy.write('test/e2e/get-pet-status.test.ts', e2eTest);
    copy.edit('test/infra/service/bundle.test.ts', 'Authorizer:', 'GetPetStatus: 213_200,\n  Authorizer:');
    const path = "{ method: 'GET', path: '/pets/1";
    copy.edit('test/infra/local/local-api.test.ts', path, `${path}/status' },\n  ${path}`);
    copy.write('requests.http', `${copy.read('requests.http')}${request}`);
  },

  async check(copy: RepositoryCopy) {
    await using api = await copy.startApi();
    const { id } = await api.call('POST', '/pets', { name: 'Bella', categoryId: 1 });
    assert.deepEqual(await api.call('GET', `/pets/${id}/status`), { status: 'available' });
  },
};

import assert from 'node:assert/strict';
import {
  addSettings,
  allOperations,
  notFoundTest,
  operationSettings,
  type Trial,
  tsc,
  vitest,
} from '../trial.ts';

const operation = `/** Replaces a pet. */
export const replacePet = {
  operationId: 'replacePet',
  method: 'PUT',
  path: '/pets/{petId}',
  summary: 'Replace a pet',
  description: 'Replaces every field of a pet but its id.',
  parameters: { path: { petId: { description: 'Identifier of the pet.', schema: Pet.entries.id, example: examplePet.id } } },
  body: { schema: NewPet, example: exampleNewPet },
  success: 200,
  response: { description: 'The pet.', schema: Pet, example: examplePet, headers: {} },
  errors: ['invalid_json', 'invalid_body', 'invalid_request', 'not_found', 'payload_too_large',
    'unsupported_media_type'],
} as const satisfies Operation;

${allOperations}replacePet, `;

const handler = `import { ApiError } from '../shared/contract/error-table.ts';
import { replacePet } from '../shared/pets/operations.ts';
import { petTable } from '../shared/pets/pet-table.ts';
import { jsonBody } from '../shared/http/json-body.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { sendRefusedUpdate, updateIf } from '../shared/tables/change-item.ts';
import { openTable } from '../shared/tables/table.ts';

const pets = openTable(petTable);
const { handle, parse, respond } = serve(replacePet, jsonBody);

export const handler = handle(async (event) => {
  const { path, body: newPet } = parse(event);

  const result = await updateIf(pets, { key: { id: path.petId }, changes: newPet });

  if (result.outcome === 'absent') throw new ApiError('not_found');
  return respond(result.item, {});
});
`;

const warmUp = `
await warmUp(() => sendRefusedUpdate(pets));
`;

const test = `import { expect, it } from 'vitest';
import { handler } from '../../functions/replace-pet.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/pets/operations.ts';
import { invoke } from '../support/functions/invoke.ts';
import { putPet } from '../support/functions/stored-pets.ts';

const body = stringifyJson({ ...exampleNewPet, name: 'Bello' });

it('replaces the fields of a pet', async () => {
  await putPet(12n);

  const response = await invoke(handler, { method: 'PUT', pathParameters: { petId: '12' }, body });

  expect(response).toMatchObject({ status: 200, body: { id: 12n, name: 'Bello' } });
});
`;

/** Adds the operation `PUT /pets/{petId}`. */
export const addOperation: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add an operation',
  files: 6,
  changesApi: true,
  follow(copy) {
    copy.edit('shared/pets/operations.ts', allOperations, operation);
    copy.expectFailure(tsc, `${operationSettings}.*'replacePet' is missing`);
    addSettings(copy, 'replacePet', "pets: { table: ['dynamodb:UpdateItem'] }");
    copy.expectFailure(vitest('test/infra/service/bundle.test.ts'), 'There is no functions/replace-pet.ts');
    copy.write('functions/replace-pet.ts', handler);
    copy.expectFailure(vitest('test/functions/init.test.ts'), 'End functions/replace-pet.ts with a warmUp');
    copy.write('functions/replace-pet.ts', handler + warmUp);
    copy.write('test/functions/replace-pet.test.ts', test);
    const call = "'PUT', '/pets/1', { body: { name: 'Bello', categoryId: 1 } }";
    copy.write('test/e2e/replace-pet.test.ts', notFoundTest(call));
  },

  /** A repeated create returns the pet as it is now. */
  async check(_copy, { call }) {
    const create = () =>
      call('POST', '/pets', { name: 'Bella', categoryId: 1 }, { 'Idempotency-Key': 'trial' });
    const { id } = await create();
    const replaced = await call('PUT', `/pets/${id}`, { name: 'Bello', categoryId: 2, status: 'sold' });
    assert.deepEqual(replaced, { id, name: 'Bello', categoryId: 2, status: 'sold' });
    assert.deepEqual(await create(), replaced);
  },
};

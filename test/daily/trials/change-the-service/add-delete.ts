import assert from 'node:assert/strict';
import { addSettings, allOperations, notFoundTest, type Trial, vitest } from '../trial.ts';

const operation = `/** Deletes a pet. */
export const deletePet = {
  operationId: 'deletePet',
  method: 'DELETE',
  path: '/pets/{petId}',
  summary: 'Delete a pet',
  description: 'Deletes a pet. A late retry of its create does not bring it back.',
  parameters: { path: { petId: { description: 'Identifier of the pet.', schema: Pet.entries.id, example: examplePet.id } } },
  success: 204,
  response: { description: 'The pet was deleted.', headers: {} },
  errors: ['invalid_request', 'not_found'],
} as const satisfies Operation;

${allOperations}deletePet, `;

/** Returns the handler, with the code in the document. */
const handler = (code: string, call: string) => `import { ApiError } from '../shared/contract/error-table.ts';
import { deletePet } from '../shared/pets/operations.ts';
import { petTable } from '../shared/pets/pet-table.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { deleteIf, sendRefusedUpdate } from '../shared/tables/change-item.ts';
import { openTable } from '../shared/tables/table.ts';

const pets = openTable(petTable);
const { handle, parse, respond } = serve(deletePet);

export const handler = handle(async (event) => {
  const { path } = parse(event);
  ${code}
});

await warmUp(() => ${call});
`;

const test = `import { expect, it } from 'vitest';
import { handler } from '../../functions/delete-pet.ts';
import { invoke } from '../support/functions/invoke.ts';
import { putPet } from '../support/functions/stored-pets.ts';

it('deletes a pet', async () => {
  await putPet(12n);
  const remove = () => invoke(handler, { method: 'DELETE', pathParameters: { petId: '12' } });

  expect(await remove()).toMatchObject({ status: 204, body: undefined });
  expect(await remove()).toMatchObject({ status: 404 });
});
`;

/** Adds the operation `DELETE /pets/{petId}`, with the action and the code in the document. */
export const addDelete: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add a delete',
  files: 6,
  changesApi: true,
  follow(copy) {
    const [, action, code = ''] =
      /### To add a delete\n.*?`(dynamodb:\w+)`.*?```ts\n(.*?)```/s.exec(copy.read('CONTRIBUTING.md')) ?? [];
    copy.edit('shared/pets/operations.ts', allOperations, operation);
    addSettings(copy, 'deletePet', `pets: { table: ['${action}'] }`);
    copy.write('functions/delete-pet.ts', handler(code, 'deleteIf(pets, { key: { id: 1n } })'));
    const says = 'The warmUp of functions/delete-pet.ts changes a table';
    copy.expectFailure(vitest('test/functions/init.test.ts'), says);
    copy.write('functions/delete-pet.ts', handler(code, 'sendRefusedUpdate(pets)'));
    copy.write('test/functions/delete-pet.test.ts', test);
    copy.write('test/e2e/delete-pet.test.ts', notFoundTest("'DELETE', '/pets/1'"));
  },

  /** No late retry brings a pet back. */
  async check(_copy, { call }) {
    const create = (key: string) =>
      call('POST', '/pets', { name: 'Bella', categoryId: 1 }, { 'Idempotency-Key': key });
    const { id } = await create('trial');
    const other = await create('other');

    assert.equal(await call('DELETE', `/pets/${id}`), undefined);

    const retry = await create('trial');
    assert.equal(retry.code, 'already_deleted');
    assert.deepEqual(await call('GET', '/pets'), [other]);
    assert.deepEqual(await call('GET', '/pets?status=available'), [other]);
  },
};

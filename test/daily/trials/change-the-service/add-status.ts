import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { type Trial, vitest } from '../trial.ts';

/** Runs the handlers of the version before beside those of this one, on one table. */
const test = (previous: string) => `import { expect, it } from 'vitest';
import { handler as create } from '../../functions/create-pet.ts';
import { handler as list } from '../../functions/list-pets.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { invoke } from '../support/functions/invoke.ts';

const log = captureLog();
const body = '{"name":"Bella","categoryId":1,"status":"reserved"}';
const creation = { method: 'POST', headers: { 'Idempotency-Key': ['trial'] }, body };

it('a version without the status runs beside one with the status', async () => {
  const previous = {
    create: (await import('${previous}/functions/create-pet.ts')).handler,
    list: (await import('${previous}/functions/list-pets.ts')).handler,
  };
  const created = await invoke(create, creation);
  expect(created).toMatchObject({ status: 201, body: { status: 'reserved' } });
  const { body: pet } = created;

  expect((await invoke(list, { query: 'status=reserved' })).body).toEqual([pet]);
  expect((await invoke(previous.list, {})).body).toEqual([pet]);
  // What it does not know, it rejects, rather than reading it as something else.
  expect((await invoke(previous.list, { query: 'status=reserved' })).status).toBe(400);
  expect((await invoke(previous.create, creation)).status).toBe(400);
  expect((await invoke(create, creation)).body).toEqual(pet);
  expect(log.errors()).toEqual([]);
});
`;

/** Adds the status `reserved`. */
export const addStatus: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add a status',
  files: 2,
  changesApi: true,
  follow(copy) {
    copy.edit('shared/pets/pet.ts', "'pending', 'sold']", "'pending', 'sold', 'reserved']");
  },

  /** Both versions use one table, as in a canary and after a rollback. */
  async check(copy, { call }) {
    const pet = await call('POST', '/pets', { name: 'Bella', categoryId: 1, status: 'reserved' });
    assert.deepEqual(await call('GET', '/pets?status=reserved'), [pet]);

    copy.write('test/functions/versions.test.ts', test(resolve('.')));
    copy.run(vitest('test/functions/versions.test.ts'));
  },
};

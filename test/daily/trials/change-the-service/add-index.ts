import assert from 'node:assert/strict';
import { type Trial, tsc, vitest } from '../trial.ts';

const client = 'bin/client/package/pet-store-client.ts';
const list = 'functions/list-pets.ts';
const table = 'shared/pets/pet-table.ts';
const deployed = 'test/infra/service/tables.test.ts';
const tests = 'test/functions/list-pets.test.ts';

const where = `const { breed, status } = query;
  if (breed !== undefined && status !== undefined) {
    throw new ApiError('invalid_query', 'Send only one of status, breed.');
  }
  const where =
    breed === undefined
      ? ({ field: 'status', equals: status } as const)
      : ({ field: 'breed', equals: breed } as const);
`;

const breed = "breed: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(100)), 'mixed'),";

const parameter = `      breed: { description: 'Only these.', schema: Pet.entries.breed.wrapped, example: 'beagle' },
`;

const testImports = `import { readPage } from '../../shared/paging/read-page.ts';
import { petTable } from '../../shared/pets/pet-table.ts';
import { updateIf } from '../../shared/tables/change-item.ts';
import { openTable } from '../../shared/tables/table.ts';
import { putItem } from '../support/functions/stored-items.ts';
`;

/** Returns a test of the filter in which the pets of earlier versions get the field. */
const testOf = (fill: string) => `it('lists the pets of a breed', async () => {
  await removeEveryPet();
  for (const [id, breed] of [[1n, 'beagle'], [2n, 'mixed'], [3n, 'beagle']] as const) await putPet(id, { breed });
  await putItem(petTable, { id: 4n, name: 'Bello', categoryId: 1n, status: 'sold' });

  const first = await invoke(handler, { query: 'breed=beagle&limit=1' });
  const second = await invoke(handler, { query: String(nextQueryOf(first, '/pets')) });

  expect([first, second]).toMatchObject([{ body: [{ id: 1n }] }, { body: [{ id: 3n }] }]);
  expect(await invoke(handler, { query: 'breed=mixed' })).toMatchObject({ body: [{ id: 2n }] });
${fill}
  expect(await invoke(handler, { query: 'breed=mixed' })).toMatchObject({ body: [{ id: 2n }, { id: 4n, breed: 'mixed' }] });
});
`;

/** Adds a field with a default, and a filter for it with an index, while pets without the field are stored. */
export const addIndex: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add a filter',
  files: 9,
  changesApi: true,
  follow(copy) {
    const shown = copy.read(list);
    const byBreed = ", byBreed: { partition: 'breed', sort: 'id' }";
    copy.edit('shared/pets/pet.ts', "'available'),\n});", `'available'),\n  ${breed}\n});`);
    copy.insert('shared/pets/pet.ts', "  status: 'The avail", "  breed: 'The breed.',\n");
    copy.edit(table, "sort: 'id' }", `sort: 'id' }${byBreed}`);
    copy.edit(table, "id: 'N'", "id: 'N', breed: 'S'");
    // The first deploy has only the index.
    copy.run(vitest('test/infra/service'));
    const status =
      "      status: { description: 'Return only pets with this status.', schema: PetStatus },\n";
    copy.edit('shared/pets/operations.ts', status, status + parameter);
    copy.expectFailure(tsc, 'bin/client/test/pet-store-client.test.ts.*breed');
    copy.insert(client, '  readonly status?: PetStatus;', '  readonly breed?: string;\n');
    copy.expectFailure(tsc, `${client}.*'breed' is missing`);
    copy.edit(client, '= pageSize.maximum, status', '= pageSize.maximum, breed, status');
    copy.edit(client, '{ limit, status', '{ limit, breed, status');
    copy.expectFailure(vitest(deployed), 'Let functions/list-pets.ts select by breed');
    copy.edit(list, "const where = { field: 'status', equals: query.status } as const;\n", where);
    copy.insert(list, 'import { serve }', "import { ApiError } from '../shared/contract/error-table.ts';\n");
    copy.expectFailure(vitest('test/docs/links.test.ts'), 'shows a handler as it is');
    copy.edit('README.md', shown, copy.read(list));
    copy.expectFailure(vitest(deployed), 'Deploy byBreed');
    copy.edit(
      deployed,
      "{ byStatus }, keyTypes: { id: 'N'",
      `{ byStatus${byBreed} }, keyTypes: { id: 'N', breed: 'S'`,
    );
    const [, fill = ''] =
      /### To fill a field\n.*?```ts\nimport.*?\n\n(.*?)```/s.exec(copy.read('CONTRIBUTING.md')) ?? [];
    assert.notEqual(fill, '');
    copy.write(tests, testImports + copy.read(tests) + testOf(fill));
  },

  async check(_copy, { call }) {
    const create = (name: string, breed: string) => call('POST', '/pets', { name, categoryId: 1, breed });
    const bella = await create('Bella', 'beagle');
    const milo = await create('Milo', 'beagle');
    await create('Nala', 'pug');

    const listed = await call('GET', '/pets?breed=beagle');
    assert.deepEqual(new Set(listed), new Set([bella, milo]));
    const rejected = await call('GET', '/pets?breed=beagle&status=available');
    assert.equal(rejected.message, 'Send only one of status, breed.');
  },
};

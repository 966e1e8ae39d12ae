import assert from 'node:assert/strict';
import { type Trial, tsc, vitest } from './trial.ts';

const query = 'shared/contract/schemas/list-pets-query.ts';
const definitions = 'shared/tables/table-definitions.ts';
const deployed = 'test/infra/service/tables.test.ts';
const tests = 'test/functions/list-pets.test.ts';

const schema = `/** An int64 in decimal. */
const CategoryId = v.pipe(v.string(), v.regex(/^-?\\d{1,19}$/), v.transform((digits) => BigInt(digits)));

`;

const parameter = `
categoryId: { description: 'Only these.', schema: Pet.entries.categoryId, example: 1n },
`;

const test = `it('lists the pets of a category', async () => {
  await removeEveryPet();
  for (const [id, categoryId] of [[1n, 7n], [2n, 8n], [3n, 7n]] as const) await putPet(id, { categoryId });

  const first = await invoke(handler, { query: 'categoryId=7&limit=1' });
  const second = await invoke(handler, { query: String(nextQueryOf(first, '/pets')) });

  expect([first, second]).toMatchObject([{ body: [{ id: 1n }] }, { body: [{ id: 3n }] }]);
});
`;

/** Adds the filter `categoryId` to the list of pets, with an index. */
export const addIndex: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add a filter',
  maxFiles: 6,
  changesApi: true,
  follow(copy) {
    const byCategory = "byCategory: { categoryId: 'N', id: 'N' }, ";
    copy.insert(definitions, 'byStatus:', byCategory);
    copy.insert(query, '/** The query', schema);
    copy.edit(query, 'filter(PetStatus)', 'filter(PetStatus), categoryId: filter(CategoryId)');
    copy.expectFailure(tsc, "shared/contract/operations.ts.*'categoryId' is missing");
    copy.insert('shared/contract/operations.ts', '      status: { description', parameter);
    copy.expectFailure(tsc, `${definitions}.*'categoryId' is missing`);
    copy.insert(definitions, "  status: 'byStatus',", "  categoryId: 'byCategory',\n");
    copy.expectFailure(vitest(deployed), 'Deploy byCategory');
    copy.edit(deployed, 'indexes: { byStatus }', `indexes: { ${byCategory}byStatus }`);
    copy.write(tests, copy.read(tests).replace('{ removeEveryPet', '{ putPet, removeEveryPet') + test);
  },

  async check(_copy, { call }) {
    const create = (name: string, categoryId: number) => call('POST', '/pets', { name, categoryId });
    const bella = await create('Bella', 7);
    const milo = await create('Milo', 7);
    await create('Nala', 8);

    const listed = await call('GET', '/pets?categoryId=7');
    assert.deepEqual(new Set(listed), new Set([bella, milo]));
    const rejected = await call('GET', '/pets?categoryId=7&status=available');
    assert.equal(rejected.code, 'invalid_query');
  },
};

import assert from 'node:assert/strict';
import { type Trial, tsc, updateDescription } from './trial.ts';

const query = 'shared/contract/schemas/list-pets-query.ts';
const access = 'shared/tables/pets-table.ts';
const tests = 'test/functions/list-pets.test.ts';

const statusFilter = 'status: filter(PetStatus)';
const categoryFilter = 'categoryId: filter(CategoryId)';
const schema = `/** An int64 in decimal. */
const CategoryId = v.pipe(v.string(), v.regex(/^-?\\d{1,19}$/), v.transform((digits) => BigInt(digits)));

/** The query`;

const ofCategory = `  if (categoryId !== undefined) {
    if (status !== undefined) throw new ApiError('invalid_query', 'Send either status or categoryId.');
    return readPage({ ...pets, index: 'byCategory', partition: ['categoryId', categoryId] }, page);
  }
  if (status === undefined)`;

const test = `
it('lists the pets of a category', async () => {
  await removeEveryPet();
  await putPet(1n, { categoryId: 7n });
  await putPet(2n, { categoryId: 8n });
  await putPet(3n, { categoryId: 7n });

  const first = await invoke(handler, { query: 'categoryId=7&limit=1' });
  const second = await invoke(handler, { query: String(nextQueryOf(first)) });

  expect([first, second]).toMatchObject([{ body: [{ id: 1n }] }, { body: [{ id: 3n }] }]);
});
`;

/** Adds the filter `categoryId` to the list of pets, with an index. */
export const addIndex: Trial = {
  section: 'To add a filter',
  maxFiles: 7,
  steps: [
    {
      take(copy) {
        const byStatus = "byStatus: { status: 'S', id: 'N' }";
        const byCategory = "byCategory: { categoryId: 'N', id: 'N' }";
        copy.edit('shared/tables/table-definitions.ts', byStatus, `${byStatus}, ${byCategory}`);
      },
    },
    {
      take(copy) {
        copy.edit(query, statusFilter, `${statusFilter}, ${categoryFilter}`);
        copy.edit(query, '/** The query', schema);
      },
    },
    {
      missing: { run: tsc, says: "shared/contract/operations.ts.*'categoryId' is missing" },
      take(copy) {
        const status = '      status: { description';
        const parameter =
          '      categoryId: { description: "Only these.", schema: Pet.entries.categoryId, example: 1n },';
        copy.edit('shared/contract/operations.ts', status, `${parameter}\n${status}`);
      },
    },
    {
      take(copy) {
        copy.edit(access, 'readPetPage({ status,', 'readPetPage({ status, categoryId,');
        copy.edit(access, '  if (status === undefined)', ofCategory);
      },
    },
    {
      take(copy) {
        copy.write(tests, copy.read(tests).replace('{ removeEveryPet', '{ putPet, removeEveryPet') + test);
      },
    },
    updateDescription,
  ],

  async check(copy) {
    await using api = await copy.startApi();
    const create = (name: string, categoryId: number) => api.call('POST', '/pets', { name, categoryId });
    const [bella, milo] = [await create('Bella', 7), await create('Milo', 7)];
    await create('Nala', 8);

    const listed = await api.call('GET', '/pets?categoryId=7');
    assert.deepEqual(new Set(listed), new Set([bella, milo]));
  },
};

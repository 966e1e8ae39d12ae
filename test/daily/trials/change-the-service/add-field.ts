import assert from 'node:assert/strict';
import { type Trial, tsc } from '../trial.ts';

const pet = 'shared/pets/pet.ts';

/** Adds the field `tags`, with a default. */
export const addField: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To add a field',
  files: 2,
  changesApi: true,
  follow(copy) {
    const tags = 'tags: v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []),';
    copy.edit(pet, "'available'),\n});", `'available'),\n  ${tags}\n});`);
    copy.expectFailure(tsc, pet);
    copy.expectFailure(['bin/client/client.ts'], `failed:\n${pet}[^\n]*'tags' is missing[^\n]*\n$`);
    copy.insert(pet, "  status: 'The avail", "  tags: 'Labels of the pet.',\n");
  },

  async check(copy, { call, environment }) {
    const pet = await call('POST', '/pets', { name: 'Bella', categoryId: 1, tags: ['calm', 'small'] });
    assert.deepEqual(pet.tags, ['calm', 'small']);
    assert.deepEqual(await call('GET', '/pets?status=available'), [pet]);

    if (!copy.has('bin/catalogue/import.ts')) return;
    copy.write('trial.csv', 'name,categoryId,status,tags\nMax,2,sold,"[""loud""]"\n');
    copy.run(['bin/catalogue/import.ts', 'trial.csv'], environment);
    const [max] = await call('GET', '/pets?status=sold');
    assert.deepEqual(max.tags, ['loud']);
    assert.match(copy.run(['bin/catalogue/export.ts'], environment), /"\[""calm"",""small""\]"/);
  },
};

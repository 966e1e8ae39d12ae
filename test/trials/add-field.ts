import assert from 'node:assert/strict';
import type { RepositoryCopy } from './repository-copy.ts';

/** Adds the field `tags`, as CONTRIBUTING.md describes. */
export const addField = {
  section: 'To add a field',
  tests: ['test/functions', 'test/shared', 'test/bin/catalogue'],

  edit(copy: RepositoryCopy) {
    const pet = 'shared/contract/schemas/pet.ts';
    const tags = 'tags: v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []),\n});';
    copy.edit(pet, "'available'),\n});", `'available'),\n  ${tags}`);
    copy.edit(pet, "  status: 'The avail", "  tags: 'Labels of the pet.',\n  status: 'The avail");
  },

  /** Creates, fetches, lists, imports and exports a pet with tags. */
  async check(copy: RepositoryCopy) {
    await using api = await copy.startApi();
    const pet = await api.call('POST', '/pets', { name: 'Bella', categoryId: 1, tags: ['calm', 'small'] });
    assert.deepEqual(pet.tags, ['calm', 'small']);
    assert.deepEqual(await api.call('GET', `/pets/${pet.id}`), pet);
    assert.deepEqual(await api.call('GET', '/pets?status=available'), [pet]);

    copy.write('trial.csv', 'name,categoryId,status,tags\nMax,2,sold,"[""loud""]"\n');
    copy.run(['bin/import.ts', 'trial.csv'], api.environment);
    const [max] = await api.call('GET', '/pets?status=sold');
    assert.deepEqual(max.tags, ['loud']);
    assert.match(copy.run(['bin/export.ts'], api.environment), /\["calm","small"\]|"\[""calm"",""small""\]"/);
  },
};

import assert from 'node:assert/strict';
import { type Trial, tsc, updateDescription } from './trial.ts';

const pet = 'shared/contract/schemas/pet.ts';

/** Adds the field `tags`, with a default. */
export const addField: Trial = {
  section: 'To add a field',
  maxFiles: 2,
  steps: [
    {
      take: (copy) =>
        copy.edit(
          pet,
          "'available'),\n});",
          "'available'),\n  tags: v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []),\n});",
        ),
    },
    {
      missing: { run: tsc, says: `${pet}` },
      take: (copy) =>
        copy.edit(pet, "  status: 'The avail", "  tags: 'Labels of the pet.',\n  status: 'The avail"),
    },
    updateDescription,
  ],

  async check(copy) {
    await using api = await copy.startApi();
    const pet = await api.call('POST', '/pets', { name: 'Bella', categoryId: 1, tags: ['calm', 'small'] });
    assert.deepEqual(pet.tags, ['calm', 'small']);
    assert.deepEqual(await api.call('GET', `/pets/${pet.id}`), pet);
    assert.deepEqual(await api.call('GET', '/pets?status=available'), [pet]);

    copy.write('trial.csv', 'name,categoryId,status,tags\nMax,2,sold,"[""loud""]"\n');
    copy.run(['bin/import.ts', 'trial.csv'], api.environment);
    const [max] = await api.call('GET', '/pets?status=sold');
    assert.deepEqual(max.tags, ['loud']);
    assert.match(copy.run(['bin/export.ts'], api.environment), /"\[""calm"",""small""\]"/);
  },
};

import assert from 'node:assert/strict';
import { addField } from './add-field.ts';
import { addOperation } from './add-operation.ts';
import { RepositoryCopy } from './repository-copy.ts';

// Follows CONTRIBUTING.md in a copy of the repository, and fails unless every step works as described.
for (const trial of [addOperation, addField]) {
  console.log(`\n${trial.section}`);
  using copy = new RepositoryCopy();
  const indexesBefore = indexesOf(copy);

  trial.edit(copy);
  copy.run(['bin/openapi.ts']);
  const changed = copy.changedFiles();
  console.log(changed.join('\n'));
  copy.run(['node_modules/typescript/bin/tsc']);
  copy.run(['node_modules/vitest/vitest.mjs', 'run', ...trial.tests]);
  await trial.check(copy);

  assert.deepEqual(indexesOf(copy), indexesBefore, 'An index in the template has changed.');
  const section = copy.read('CONTRIBUTING.md').split(`### ${trial.section}\n`)[1]?.split('\n### ')[0] ?? '';
  const documented = Number(/changes (\d+) files/.exec(section)?.[1]);
  assert.equal(changed.length, documented, `Correct the number of files under "${trial.section}".`);
}

/** Returns the indexes of the tables in the copy's template. */
function indexesOf(copy: RepositoryCopy): unknown {
  copy.run(['bin/pet-store.ts'], { CDK_OUTDIR: 'cdk.out' });
  const { Resources } = JSON.parse(copy.read('cdk.out/PetStore-staging.template.json'));
  return Object.values<{ Properties?: object }>(Resources).flatMap(({ Properties = {} }) =>
    'GlobalSecondaryIndexes' in Properties ? [Properties.GlobalSecondaryIndexes] : [],
  );
}

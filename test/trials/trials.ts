import assert from 'node:assert/strict';
import { addDelete } from './add-delete.ts';
import { addEntity } from './add-entity.ts';
import { addField } from './add-field.ts';
import { addIndex } from './add-index.ts';
import { addOperation } from './add-operation.ts';
import { addStatus } from './add-status.ts';
import { deprecateList } from './deprecate-list.ts';
import { RepositoryCopy } from './repository-copy.ts';
import { tsc, vitest } from './trial.ts';

// Follows CONTRIBUTING.md in copies of the repository, and fails unless every step works as described.
// Arguments choose trials: npm run trials -- field
const [, , ...chosen] = process.argv;
const trials = {
  field: addField,
  status: addStatus,
  operation: addOperation,
  deprecation: deprecateList,
  delete: addDelete,
  index: addIndex,
  entity: addEntity,
};
for (const [name, { section, maxFiles, follow, check }] of Object.entries(trials)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  console.log(`\n${section}`);
  using copy = new RepositoryCopy();
  assert.ok(copy.read('CONTRIBUTING.md').includes(`\n### ${section}\n`), `There is no "${section}".`);

  follow(copy);
  copy.expectFailure(vitest('test/infra/reference/document.test.ts'), 'npm run openapi');
  copy.run(['bin/openapi.ts']);
  const changed = copy.changedFiles();
  console.log(changed.join('\n'));
  assert.ok(changed.length <= maxFiles, `${changed.length} files changed, more than ${maxFiles}.`);

  copy.run(tsc);
  copy.run(['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--error-on-warnings', '.']);
  const passed = copy.run(vitest());
  console.log(`${changed.length} files changed.${/\n *Tests .*/.exec(passed)?.[0]}`);
  await using api = await copy.startApi();
  await check(copy, api);
}

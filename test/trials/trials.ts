import assert from 'node:assert/strict';
import { parseArgs } from 'node:util';
import { addDelete } from './add-delete.ts';
import { addEntity } from './add-entity.ts';
import { addField } from './add-field.ts';
import { addIndex } from './add-index.ts';
import { addOperation } from './add-operation.ts';
import { addStage } from './add-stage.ts';
import { addStatus } from './add-status.ts';
import { changeSettings } from './change-settings.ts';
import { deprecateList } from './deprecate-list.ts';
import { passSunset } from './pass-sunset.ts';
import { renameService } from './rename-service.ts';
import { RepositoryCopy } from './repository-copy.ts';
import { biome, type Trial, tsc, vitest, vitestIn } from './trial.ts';

// Follows the documents in copies of the repository, and fails unless every step works as described. Arguments
// choose trials, and --changed runs only the tests that a trial can affect: npm run trials -- field --changed
const { values, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: { changed: { type: 'boolean', default: false } },
});
const trials: Readonly<Record<string, Trial>> = {
  field: addField,
  status: addStatus,
  operation: addOperation,
  deprecation: deprecateList,
  delete: addDelete,
  index: addIndex,
  entity: addEntity,
  settings: changeSettings,
  stage: addStage,
  rename: renameService,
  sunset: passSunset,
};
const unknown = chosen.filter((name) => !(name in trials));
assert.deepEqual(unknown, [], `There is no such trial. Choose from ${Object.keys(trials).join(', ')}.`);

const started = performance.now();
const names = chosen.length > 0 ? chosen : Object.keys(trials);
for (const [name, trial] of Object.entries(trials)) {
  if (names.includes(name)) await run(name, trial);
}
console.log(`\n${names.length} trials passed in ${secondsSince(started)} s.`);

async function run(name: string, trial: Trial): Promise<void> {
  const { document, section, maxFiles = Number.POSITIVE_INFINITY, changesApi, mode, follow, check } = trial;
  console.log(`\n${name}: ${document}, ${section}`);
  const begun = performance.now();
  using copy = new RepositoryCopy();
  assert.match(copy.read(document), new RegExp(`^#+ ${section}$`, 'm'), `${document} has no "${section}".`);

  follow(copy);
  if (changesApi) {
    copy.expectFailure(vitest('test/infra/reference/document.test.ts'), 'npm run openapi');
    copy.run(['bin/openapi.ts']);
  }
  const changed = copy.changedFiles();
  console.log(changed.slice(0, 20).join('\n'));
  assert.ok(changed.length <= maxFiles, `${changed.length} files changed, more than ${maxFiles}.`);

  copy.run(biome);
  copy.run(tsc);
  const onlyChanged = values.changed ? ['--changed'] : [];
  const passed = copy.run(vitestIn(mode ?? 'this-machine', ...onlyChanged));
  const tests = /\n *Tests .*/.exec(passed)?.[0];
  console.log(`${changed.length} files changed, ${secondsSince(begun)} s.${tests}`);
  if (!check) return;
  await using api = await copy.startApi();
  await check(copy, api);
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 1000);
}

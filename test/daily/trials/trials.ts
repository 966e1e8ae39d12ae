import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommand } from '../../../bin/cli/create-command.ts';
import { trials } from './all-trials.ts';
import { RepositoryCopy } from './repository-copy.ts';
import { biome, type Trial, tsc, vitest, vitestIn } from './trial.ts';

const command = createCommand(
  'npm run daily -- trials',
  'Follows the documents in copies of the repository, and fails unless every step works as described.',
)
  .argument('[trials...]', `by default all: ${Object.keys(trials).join(', ')}`)
  .option('--changed', 'run only the tests that a trial can affect', false)
  .parse();
const { changed: runsOnlyChanged } = command.opts<{ changed: boolean }>();
const chosen = command.args;
const unknown = chosen.find((name) => !(name in trials));
if (unknown !== undefined) command.error(`error: There is no trial ${unknown}.`);

// Some have a space in the name of this folder, too.
const temporary = mkdtempSync(join(tmpdir(), 'of trials '));
process.env['TMPDIR'] = temporary;
process.once('exit', () => rmSync(temporary, { recursive: true }));

const started = performance.now();
const names = chosen.length > 0 ? chosen : Object.keys(trials);
for (const [name, trial] of Object.entries(trials)) {
  if (!names.includes(name)) continue;
  await run(name, trial);
  const left = readdirSync(temporary);
  if (left.length > 0) console.log(`Left in the temporary directory: ${left.join(', ')}`);
}
console.log(`\n${names.length} trials passed in ${secondsSince(started)} s.`);

async function run(name: string, trial: Trial): Promise<void> {
  const { document, section, files, changesApi, mode, folder, hasGit } = trial;
  console.log(`\n${name}: ${document}, ${section}`);
  const begun = performance.now();
  using _surroundings = trial.surround?.();
  using copy = new RepositoryCopy(folder);
  copy.copyPackages();
  if (hasGit !== false) copy.startRepository();
  trial.follow(copy);
  if (changesApi) {
    copy.expectFailure(vitest('bin/reference/test/document.test.ts'), 'npm run openapi');
    copy.run(['bin/reference/openapi.ts']);
    copy.run(['bin/client/client.ts', '--output', temporary]);
    for (const name of readdirSync(temporary)) if (name.endsWith('.tgz')) rmSync(join(temporary, name));
  }
  const changed = copy.changedFiles();
  console.log(changed.slice(0, 20).join('\n'));
  const counted = changed.filter((line) => trial.isCounted?.(line) ?? true);
  if (files !== undefined)
    assert.equal(counted.length, files, `It changes other files: ${counted.join(', ')}`);

  copy.run(biome);
  copy.run(tsc);
  const onlyChanged = runsOnlyChanged ? ['--changed'] : [];
  const passed = copy.run(vitestIn(mode ?? 'test', ...onlyChanged));
  const tests = /\n *Tests .*/.exec(passed)?.[0] ?? '';
  console.log(`${changed.length} files changed, ${secondsSince(begun)} s.${tests}`);
  if (!trial.check) return;
  await using api = await copy.startApi();
  await trial.check(copy, api);
}

function secondsSince(start: number): number {
  return Math.round((performance.now() - start) / 1000);
}

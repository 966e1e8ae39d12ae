import assert from 'node:assert/strict';
import { settingsIn } from '../../support/infra/documented-settings.ts';
import type { Trial } from './trial.ts';

/** Adds the stage of a developer. */
export const addStage: Trial = {
  document: 'docs/deploying.md',
  section: 'Add a stage',
  files: 1,
  changesApi: false,
  follow(copy) {
    const { stages } = settingsIn('docs/deploying.md');
    copy.insert('infra/settings/stages.ts', '} satisfies Readonly<Record<string', stages.join(''));
  },

  async check(copy) {
    const { Resources } = copy.template('anna');
    assert.ok(Object.keys(Resources).length > 50, 'The stack has few resources.');
    assert.match(
      copy.run(['bin/reference/docs.ts', '--stage', 'anna', '--base-url', 'https://pets.example/v1']),
      /^Wrote /,
    );
  },
};

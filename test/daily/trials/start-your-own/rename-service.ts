import assert from 'node:assert/strict';
import type { Trial } from '../trial.ts';

/** Gives the service another name. */
export const renameService: Trial = {
  document: 'docs/start-your-own.md',
  section: 'Rename',
  changesApi: false,
  follow(copy) {
    copy.write('.env', 'API_KEY=petstore_production_…');
    copy.run(['bin/rename/rename.ts', 'Book Shop']);
    assert.equal(copy.read('.env'), 'API_KEY=petstore_production_…');
  },

  async check(_copy, { call, environment }) {
    assert.match(environment.API_KEY, /^bookshop_/);
    assert.deepEqual(await call('GET', '/pets'), []);
  },
};

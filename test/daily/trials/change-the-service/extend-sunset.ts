import assert from 'node:assert/strict';
import type { Trial } from '../trial.ts';

/** Gives the clients of a deprecated operation more time. */
export const extendSunset: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To deprecate an operation',
  files: 2,
  changesApi: true,
  follow(copy) {
    copy.edit('shared/pets/operations.ts', /sunset: '.*'/, "sunset: '2032-03-04T00:00:00Z'");
  },

  async check(copy) {
    const { paths } = JSON.parse(copy.read('openapi.json'));
    assert.match(paths['/pets/{petId}'].get.description, /4 March 2032/);
  },
};

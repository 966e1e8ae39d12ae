import type { Trial } from '../trial.ts';

/** Runs the tests with a clock after the sunset of getPet. */
export const passSunset: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'Tests',
  files: 0,
  changesApi: false,
  mode: 'after-sunset',
  follow() {
    // Only the clock differs.
  },
};

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import type { Trial } from './trial.ts';

/** Windows allows no double quotes in names. */
const folder = `my pet's ${process.platform === 'win32' ? '' : '"new" '}store #1 100% é`;

/**
 * Runs the tests in a folder with an unusual name and without Git, as from a ZIP file, without `HOME`, and with
 * files that only their owner reads.
 */
export const moveFolder: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'Platforms',
  files: 0,
  changesApi: false,
  folder,
  hasGit: false,

  surround() {
    const { HOME } = process.env;
    delete process.env['HOME'];
    const umask = process.umask(0o077);
    return {
      [Symbol.dispose]() {
        process.umask(umask);
        if (HOME !== undefined) process.env['HOME'] = HOME;
      },
    };
  },

  follow(copy) {
    assert.equal(basename(copy.directory), folder);
  },

  async check(_copy, { call }) {
    const pet = await call('POST', '/pets', { name: 'Bella', categoryId: 1 });
    assert.deepEqual(await call('GET', '/pets'), [pet]);
  },
};

import assert from 'node:assert/strict';
import { basename } from 'node:path';
import type { Trial } from './trial.ts';

const folder = 'my project #1 100% é';

/** Runs the tests in a folder with an unusual name, without `HOME`, and with files that only their owner reads. */
export const moveFolder: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'Folders and users',
  maxFiles: 0,
  changesApi: false,
  folder,

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
    assert.match(copy.read('CONTRIBUTING.md'), new RegExp(`\`${folder}\``));
  },

  async check(_copy, { call }) {
    const pet = await call('POST', '/pets', { name: 'Bella', categoryId: 1 });
    assert.deepEqual(await call('GET', '/pets'), [pet]);
  },
};

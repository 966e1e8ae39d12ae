import assert from 'node:assert/strict';
import type { Trial } from '../trial.ts';

const operations = 'shared/pets/operations.ts';

const deprecation = `  deprecation: {
    since: '2026-01-01T00:00:00Z',
    sunset: '2099-12-31T00:00:00Z',
    successor: '/pets',
  },
`;

/** Deprecates the list of pets. */
export const deprecateList: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To deprecate an operation',
  files: 2,
  changesApi: true,
  follow(copy) {
    const errors = "  errors: ['invalid_query', 'invalid_request'],\n";
    copy.edit(operations, errors, errors + deprecation);
  },

  /** Clients still read every page. */
  async check(copy, { environment }) {
    if (!copy.has('bin/catalogue/import.ts')) return;
    const names = Array.from({ length: 250 }, (_, index) => `Pet ${index}`);
    copy.write('trial.csv', `name,categoryId\n${names.map((name) => `${name},1\n`).join('')}`);
    copy.run(['bin/catalogue/import.ts', 'trial.csv'], environment);

    const exported = copy.run(['bin/catalogue/export.ts'], environment);

    assert.deepEqual(new Set(exported.match(/Pet \d+/g)), new Set(names));
    const { paths } = JSON.parse(copy.read('openapi.json'));
    assert.match(paths['/pets'].get.description, /31 December 2099/);
    assert.match(paths['/pets/{petId}'].get.description, /5 December 2030/);
  },
};

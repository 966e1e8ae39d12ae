import assert from 'node:assert/strict';
import { type Trial, vitest } from './trial.ts';

const contract = 'shared/contract/deprecation.ts';
const operations = 'shared/contract/operations.ts';
const handler = 'functions/list-pets.ts';

const deprecation = `/** The deprecation of listPets. */
export const listPetsDeprecation = {
  since: '2026-01-01T00:00:00Z',
  sunset: '2099-12-31T00:00:00Z',
  successor: '/pets',
} as const satisfies Deprecation;

`;

/** Deprecates the list of pets. */
export const deprecateList: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To deprecate an operation',
  maxFiles: 4,
  changesApi: true,
  follow(copy) {
    copy.insert(contract, '/** Returns the headers that announce', deprecation);
    copy.edit(
      operations,
      'import { getPetDeprecation }',
      'import { getPetDeprecation, listPetsDeprecation }',
    );
    const errors = "errors: ['invalid_query', 'invalid_request'],\n";
    copy.edit(operations, errors, `${errors}  deprecation: listPetsDeprecation,\n`);
    copy.expectFailure(vitest('test/functions/deprecation.test.ts'), 'listPets announces its deprecation');
    const imports = `import { listPetsDeprecation } from '../shared/contract/deprecation.ts';
import { deprecated } from '../shared/http/deprecated.ts';
`;
    copy.insert(handler, 'import { parse }', imports);
    copy.edit(handler, 'apiHandler()', 'apiHandler(deprecated(listPetsDeprecation))');
  },

  /** Clients still read every page. */
  async check(copy, { environment }) {
    const names = Array.from({ length: 250 }, (_, index) => `Pet ${index}`);
    copy.write('trial.csv', `name,categoryId\n${names.map((name) => `${name},1\n`).join('')}`);
    copy.run(['bin/import.ts', 'trial.csv'], environment);

    const exported = copy.run(['bin/export.ts'], environment);

    assert.deepEqual(new Set(exported.match(/Pet \d+/g)), new Set(names));
    const { paths } = JSON.parse(copy.read('openapi.json'));
    assert.match(paths['/pets'].get.description, /31 December 2099/);
    assert.match(paths['/pets/{petId}'].get.description, /5 December 2030/);
  },
};

import { operationSettings, type Trial, tsc, vitest } from '../trial.ts';

const client = 'bin/client/package/pet-store-client';
const clientSamples = 'bin/client/reference-samples.ts';
const clientTest = 'bin/client/test/pet-store-client.test.ts';
const requests = 'requests.http';

/** Removes getPet. Types and tests name every file but the first. */
export const removeOperation: Trial = {
  document: 'CONTRIBUTING.md',
  section: 'To remove an operation',
  files: 15,
  changesApi: true,
  follow(copy) {
    copy.edit('shared/pets/operations.ts', /\/\*\* One pet; deprecated\..*?(?=\/\*\* The schemas)/s, '');
    copy.edit('shared/pets/operations.ts', ', getPet }', ' }');

    copy.expectFailure(tsc, `functions/get-pet.*${operationSettings}`);
    const tests = ['test/e2e/get-pet', 'test/e2e/smoke-get-pet', 'test/functions/get-pet'];
    copy.expectFailure(tsc, `${clientSamples}.*${clientTest}.*${tests.join('.*')}`);
    copy.edit(operationSettings, /\n {2}getPet: \{.*?\n {2}\},/s, '');
    copy.delete('functions/get-pet.ts', ...tests.map((name) => `${name}.test.ts`));
    copy.edit(clientSamples, /\n {2}getPet: .*/, '');
    copy.edit(`${client}.ts`, /\n {2}\/\*\*\n {3}\* Reads a pet\..*?\n {2}\}\n/s, '');
    copy.edit(`${client}.ts`, /.*checkedNumber \}.*\n/, '');

    copy.expectFailure(tsc, clientTest);
    copy.edit(clientTest, /describe\('getPet'.*?\n\}\);\n\n/s, '');

    copy.expectFailure(vitest('test/docs/links.test.ts'), 'requests.http calls only operations');
    copy.edit(requests, /\n### Get a pet\n.*?\n(?=###|$)/s, '');

    const guide = 'bin/reference/guide.md';
    const limits = 'docs/before-you-rely-on-it.md';
    const contract = 'docs/contract.md';
    copy.expectFailure(vitest('test/docs/paths.test.ts'), `README.md.*${guide}.*${limits}.*${contract}`);
    copy.edit('README.md', / `GET \/pets\/\{petId\}` is deprecated .*? instead\./s, '');
    copy.edit(guide, /`GET \/pets\/\{petId\}` finds .*? After that, repeat/s, 'Until then, repeat');
    copy.edit(limits, 'burst of getPet', 'burst of listPets');
    copy.edit(limits, '$BASE_URL/pets/1', '$BASE_URL/pets');
    copy.edit(contract, /\| When is `GET \/pets\/\{petId\}` removed.*\n/, '');
    copy.edit(contract, /Still to `GET .*? 404, but it/, 'To a URL that responds with 404, but');
    copy.edit(contract, / `GET \/pets\/\{petId\}` responds with 500\./, '');
  },
};

import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { HttpClient } from '../../../bin/cli/calls/http-client.ts';
import { npm } from '../../../bin/cli/test/support/npm.ts';
import { spawnLocalApi } from '../../../bin/local/test/support/spawn-local-api.ts';
import { Pet } from '../../../shared/pets/pet.ts';
import type { Connect, GeneratedClient } from './generated-client.ts';

// Lints openapi.json, generates clients from it, compiles them, and calls the local API with each.

const description = './generated/openapi.json';
const generators = {
  'openapi-fetch': ['openapi-typescript', description, '-o', 'generated/openapi-fetch.ts'],
  'hey-api': ['openapi-ts', '-i', description, '-o', 'generated/hey-api'],
  orval: ['orval', '-c', 'orval.json'],
};

/** The largest categoryId, which clients with numbers cannot send. */
const largest = 9223372036854775807n;

/** Runs a command of this folder's package. */
const run = (command: string, ...args: readonly string[]) => npm(['exec', '--', command, ...args]);

process.chdir(import.meta.dirname);
await run('spectral', 'lint', '../../../openapi.json', '--fail-severity', 'hint');
rmSync('generated', { recursive: true, force: true });
mkdirSync('generated');

await using api = await spawnLocalApi([], { project: '../../..' });
const exact = new HttpClient({ baseUrl: api.baseUrl, apiKey: api.apiKey });
const json = { name: 'Largest', categoryId: largest };
const request = { operation: 'createPet', method: 'POST', path: 'pets', json } as const;
const { body: petWithLargest } = await exact.send(Pet, request, {}, {});
writeFileSync(description, await (await fetch(new URL('/openapi.json', api.baseUrl))).text());
for (const [command = '', ...args] of Object.values(generators)) await run(command, ...args);
await run('tsc', '-p', '.');

const results = [];
for (const name of Object.keys(generators)) results.push({ name, ...(await resultsOf(name)) });
console.table(results);

async function resultsOf(name: string) {
  const outfile = resolve(`generated/${name}.mjs`);
  const options = { bundle: true, format: 'esm', platform: 'node', outfile } as const;
  await build({ ...options, entryPoints: [resolve(`clients/${name}.ts`)] });
  const { connect }: { connect: Connect } = await import(pathToFileURL(outfile).href);
  const client = connect(api.baseUrl, api.apiKey);

  const create = { name, categoryId: 1 };
  const created = await client.createPet(create, name);
  const retried = await client.createPet(create, name);
  const missing = await client.getPet(1);
  const read = await client.getPet(Number(petWithLargest.id));
  const sent = await client.createPet({ name, categoryId: Number(largest) }, `${name}-largest`);

  assert.deepEqual(retried.body, created.body, `${name}: a retried create returns the same pet`);
  assert.equal(retried.headers.get('Idempotency-Replayed'), 'true', name);
  assert.partialDeepStrictEqual(missing, { status: 404, body: { code: 'not_found' } }, name);
  const accepted = {
    pet: created.body,
    largest: read.body,
    unknown: Object.assign({}, created.body, { status: 'reserved' }),
  };
  for (const [title, pet] of Object.entries(accepted)) {
    assert.notEqual(client.accepts?.(pet), false, `${name}: the validator accepts the pet: ${title}`);
  }
  return {
    pages: await countPages(client.listPets),
    [`${largest} is read as`]: `${BigInt(Object(read.body).categoryId)}`,
    'and sent': `${sent.status} ${Object(sent.body).code}`,
    'an unknown status is': client.accepts ? 'accepted' : 'unchecked',
  };
}

/** Follows the next links, and returns the number of pages. */
async function countPages(listPets: GeneratedClient['listPets'], from = {}): Promise<number> {
  const { headers } = await listPets({ limit: 5, ...from });
  const [, cursor] = /cursor=([\w-]+)/.exec(headers.get('Link') ?? '') ?? [];
  return 1 + (cursor === undefined ? 0 : await countPages(listPets, { cursor }));
}

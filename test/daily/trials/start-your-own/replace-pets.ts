import { globSync, readFileSync } from 'node:fs';
import { biome, operationSettings, type Trial, tsc, vitest } from '../trial.ts';
import { addBookings, bookingSettings } from './bookings.ts';

const service = 'shared/service.ts';
const tables = 'test/infra/service/tables.test.ts';
const reference = 'bin/reference/test/e2e/reference.slow.test.ts';

const howTo = readFileSync('docs/start-your-own.md', 'utf8');
/** The commands of the how-to that leave out the catalogue, and that delete the pets. */
const [, leaveOutCatalogue = ''] = /### Import and export\n.*?```sh\n(.*?)```/s.exec(howTo) ?? [];
const [deletePets = ''] = /git rm [^`]+/.exec(howTo) ?? [];

const linkToPets =
  /\[([^\]]*)\]\((?:\.\.\/)?(?:docs\/)?(?:shared\/pets|functions\/list-pets|test\/functions\/costs)[^)]*\)/g;

/** What only the pets use, without `.ts`: a test would take a file that is named here for used. */
const unused = [
  'bin/client/package/lazy-page',
  'bin/cli/calls/next-cursor',
  'bin/client/test/support/language-server',
  'test/support/dynamodb/meter',
  'test/support/functions/next-query',
] as const;

/** The rest of what is the service's own: its settings, samples, client and documents. */
const ownPlaces =
  /^(shared\/(service|client\/|bookings\/)|functions\/|infra\/settings\/|bin\/local\/samples|test\/\w+\/bookings|test\/daily\/runtimes\/network|docs\/|bin\/reference\/.*\.md|openapi\.json|requests\.http|package(-lock)?\.json|[A-Z]+\.md)/;

const client = `import * as v from 'valibot';
import { Booking, type NewBooking } from '../bookings/booking.ts';
import type { CallOptions, ClientOptions } from './calls/client-options.ts';
import { HttpClient } from './calls/http-client.ts';

export { parseJson, stringifyJson } from '../contract/json.ts';
export type { CallOptions, ClientEvent, ClientOptions } from './calls/client-options.ts';
export { PetStoreError, type PetStoreErrorCode } from './calls/client-error.ts';

/** Calls the API. */
export class PetStoreClient {
  readonly #http: HttpClient;

  constructor(options: ClientOptions) {
    this.#http = new HttpClient(options);
  }

  /** Returns the first page of bookings. */
  async listBookings(call: CallOptions = {}): Promise<Booking[]> {
    const request = { operation: 'listBookings', method: 'GET', path: 'bookings' } as const;
    return (await this.#http.send(v.array(Booking), request, call, {})).body;
  }

  /** Creates one booking per key. */
  async createBooking(roomId: string, json: NewBooking, key: string, call: CallOptions = {}): Promise<Booking> {
    const headers = { 'Idempotency-Key': key };
    const path = \`rooms/\${roomId}/bookings\`;
    const request = { operation: 'createBooking', method: 'POST', path, headers, json } as const;
    return (await this.#http.send(Booking, request, call, {})).body;
  }
}
`;

const calls = `const calls = {
  listBookings: 'await api.listBookings();',
  createBooking: "await api.createBooking('b12', { nights: 2n }, 'order-4712');",
}`;

const samples = `/** The first calls of whoever starts the local API. */
export const firstCalls = {
  title: 'List bookings, and create one',
  list: '/bookings',
  create: { path: '/rooms/b12/bookings', body: '{"nights":2}' },
};

/** Creates sample bookings through the API. */
export async function createSamples(count: number, api: { baseUrl: string; apiKey: string }): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const response = await fetch(\`\${api.baseUrl}/rooms/b\${index}/bookings\`, {
      method: 'POST',
      headers: { Authorization: \`Bearer \${api.apiKey}\`, 'Content-Type': 'application/json' },
      body: firstCalls.create.body,
    });
    if (!response.ok) throw new Error(await response.text());
  }
}
`;

const smoke = `import { expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';

it('a stage lists bookings', async () => {
  expect((await call('GET', '/bookings')).status).toBe(200);
});
`;

/** Puts bookings, a service of another shape, in place of the pets. */
export const replacePets: Trial = {
  document: 'docs/start-your-own.md',
  section: 'Replace the pets',
  files: 6,
  isCounted: (change) => !/^ ?D/.test(change) && !ownPlaces.test(change.slice(3)),
  changesApi: true,
  follow(copy) {
    addBookings(copy);

    copy.runInShell(`set -e\n${leaveOutCatalogue}${deletePets}`);
    copy.write('bin/client/package/pet-store-client.ts', client);
    copy.edit('bin/client/reference-samples.ts', /const calls = .*?\n\} satisfies/s, `${calls} satisfies`);
    copy.edit('bin/client/reference-samples.ts', /\n\n\$\{calls\.listPets\}/, '');
    copy.edit('bin/client/reference-samples.ts', 'calls.createPet', 'calls.listBookings');
    copy.write('bin/local/samples.ts', samples);
    copy.write('bin/client/runtimes/network.ts', '// The client of bookings has no tests.\nexport {};\n');
    copy.edit(service, /import .*'\.\/pets\/.*\n/g, '');
    copy.insert(
      service,
      'import { apiKeyTable',
      `import { Booking, NewBooking } from './bookings/booking.ts';
import { bookingTable } from './bookings/booking-table.ts';
import { bookingOperations, exampleNewBooking } from './bookings/operations.ts';
`,
    );
    copy.edit(service, 'operations = petOperations', 'operations = bookingOperations');
    copy.edit(service, '[petTable,', '[bookingTable,');
    copy.edit(service, 'schemas: petSchemas', 'schemas: { NewBooking, Booking }');
    copy.edit(service, /new Map<GenericSchema.*/, "new Map<GenericSchema, 'Booking'>(),");
    copy.edit(service, 'fields: petFields', 'fields: {}');
    copy.edit(service, 'exampleBody: exampleNewPet', 'exampleBody: exampleNewBooking');

    copy.expectFailure(tsc, `${operationSettings}.*listPets`);
    for (const name of ['listPets', 'createPet', 'getPet']) {
      copy.edit(operationSettings, new RegExp(`\\n  ${name}: \\{.*?\\n  \\},`, 's'), '');
    }
    copy.edit(operationSettings, 'AllOperationSettings = {', `AllOperationSettings = {${bookingSettings}`);
    copy.expectFailure(tsc, `bin/behavior/requests.ts.*${reference}`);
    copy.edit(reference, /.*shared\/pets\/operations.*\n/, '');
    copy.edit(reference, 'onTestFinished, vi }', 'onTestFinished }');
    copy.edit(reference, / {2}it\('creates a pet with every digit.*?(?= {2}it\('lists)/s, '');
    copy.write('test/e2e/smoke.test.ts', smoke);
    copy.edit('bin/behavior/requests.ts', /.*PetStatus \}.*\n/, '');
    copy.edit('bin/behavior/requests.ts', '...PetStatus.options', "'available'");

    copy.expectFailure(vitest(tables), 'the table pets');
    copy.edit(tables, /const byStatus.*\n\n/, '');
    copy.edit(tables, /.*pets: \{ key.*\n/, '');

    copy.expectFailure(
      vitest('test/infra/patterns.test.ts'),
      'bin/client/package/pet.ts.*costs,exactly-once',
    );
    copy.edit('biome.json', '"!bin/client/package/pet.ts", ', '');
    copy.edit('test/daily/mutation/vitest.config.ts', /.*\n *exclude: .*\n/, '');
    copy.expectFailure(vitest('test/infra/unused.test.ts'), unused[0]);
    copy.delete(...unused.map((file) => `${file}.ts`));

    const documents = 'test/docs/links.test.ts';
    copy.expectFailure(vitest(documents), 'the README shows a handler as it is');
    copy.run(biome);
    copy.edit(
      'README.md',
      /```ts\nimport \{ serve.*?```/s,
      `\`\`\`ts\n${copy.read('functions/list-bookings.ts')}\`\`\``,
    );
    copy.edit('requests.http', /### List pets.*/s, '### List\n\nGET {{baseUrl}}/bookings\n');
    copy.expectFailure(vitest('test/docs/paths.test.ts'), 'README.*bin/reference/guide.*page-guide');
    for (const file of globSync(['*.md', 'docs/*.md', 'bin/reference/*.md'], { cwd: copy.directory })) {
      const text = copy.read(file).replaceAll(linkToPets, '$1');
      copy.write(
        file,
        text
          .replaceAll(/(?<=[" `\w}])\/(v1\/)?pe(t|%74)s\b/g, '/$1bookings')
          .replaceAll('status=available', 'roomId=b12'),
      );
    }
  },
};

import { globSync, readFileSync } from 'node:fs';
import { addOrders } from './add-entity.ts';
import { biome, operationSettings, type Trial, tsc, vitest } from './trial.ts';

const service = 'shared/service.ts';
const tables = 'test/infra/service/tables.test.ts';
const proxy = 'test/bin/cli/proxy.test.ts';
const reference = 'test/e2e/local/reference.test.ts';

/** The command of the how-to that deletes the pets. */
const [deletePets = ''] = /git rm [^`]+/.exec(readFileSync('docs/start-your-own.md', 'utf8')) ?? [];

const linkToPets =
  /\[([^\]]*)\]\((?:\.\.\/)?(?:docs\/)?(?:catalogue\.md|shared\/pets|functions\/list-pets|test\/functions\/costs)[^)]*\)/g;

/** The rest of what is the service's own: its settings, samples, client and documents. */
const ownPlaces =
  /^(shared\/(service|client\/|orders\/)|functions\/|infra\/settings\/|bin\/local\/samples|test\/\w+\/orders|test\/daily\/runtimes\/network|docs\/|openapi\.json|requests\.http|package\.json|[A-Z]+\.md)/;

const client = `import { NewOrder, Order } from '../orders/order.ts';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { HttpClient } from './http-client.ts';

export { parseJson, stringifyJson } from '../contract/json.ts';
export type { CallOptions, ClientEvent, ClientOptions } from './client-options.ts';
export { PetStoreError, type PetStoreErrorCode } from './client-error.ts';

/** Calls the API. */
export class PetStoreClient {
  readonly #http: HttpClient;

  constructor(options: ClientOptions) {
    this.#http = new HttpClient(options);
  }

  /** Creates one order per key. */
  async createOrder(customerId: string, json: NewOrder, key: string, call: CallOptions = {}): Promise<Order> {
    const headers = { 'Idempotency-Key': key };
    const request = { method: 'POST', path: \`customers/\${customerId}/orders\`, headers, json } as const;
    return (await this.#http.send(Order, request, call)).body;
  }
}
`;

const samples = `import { PetStoreClient } from '../../shared/client/pet-store-client.ts';

const path = '/customers/acme/orders';

/** The first calls of whoever starts the local API. */
export const firstCalls = { title: 'List orders, and create one', list: path, create: { path, body: '{"petId":1}' } };

/** Creates sample orders through the API. */
export async function createSamples(count: number, api: { baseUrl: string; apiKey: string }): Promise<void> {
  const client = new PetStoreClient({ ...api, retries: 3 });
  for (let petId = 1n; petId <= count; petId += 1n) {
    await client.createOrder('acme', { petId }, \`sample-\${petId}\`);
  }
}
`;

const smoke = `import { expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';

it('a stage lists orders', async () => {
  expect((await call('GET', '/customers/acme/orders')).status).toBe(200);
});
`;

/** Puts the orders of the other trial in place of the pets. */
export const replacePets: Trial = {
  document: 'docs/start-your-own.md',
  section: 'Replace the pets',
  files: 5,
  isCounted: (change) => !/^ ?D/.test(change) && !ownPlaces.test(change.slice(3)),
  changesApi: true,
  follow(copy) {
    addOrders(copy);

    copy.runInShell(deletePets);
    copy.write('shared/client/pet-store-client.ts', client);
    copy.write('bin/local/samples.ts', samples);
    copy.write('test/daily/runtimes/network.ts', '// The client of orders has no tests.\nexport {};\n');
    copy.edit(service, /import .*'\.\/pets\/.*\n/g, '');
    copy.edit(service, 'import { orderOperations }', 'import { createOrder, orderOperations }');
    copy.insert(service, 'import { orderTable }', "import { NewOrder, Order } from './orders/order.ts';\n");
    copy.edit(service, '{ ...petOperations, ...orderOperations }', 'orderOperations');
    copy.edit(service, '[petTable, orderTable,', '[orderTable,');
    copy.edit(service, 'schemas: petSchemas', 'schemas: { NewOrder, Order }');
    copy.edit(service, /new Map<GenericSchema.*/, "new Map<GenericSchema, 'Order'>(),");
    copy.edit(service, 'fields: petFields', "fields: { petId: 'The pet.' }");
    copy.edit(service, 'exampleBody: exampleNewPet', 'exampleBody: createOrder.body.example');
    copy.edit(
      service,
      /programCalls: `.*/,
      "programCalls: \"await api.createOrder(\\n  'acme', { petId: 1n }, 'order-1');\",",
    );

    copy.expectFailure(tsc, `${operationSettings}.*listPets`);
    for (const name of ['listPets', 'createPet', 'getPet']) {
      copy.edit(operationSettings, new RegExp(`\\n  ${name}: \\{.*?\\n  \\},`, 's'), '');
    }
    copy.expectFailure(tsc, `${reference}.*test/daily/behavior/requests.ts`);
    copy.edit(reference, /.*shared\/pets\/operations.*\n/, '');
    copy.edit(reference, 'onTestFinished, vi }', 'onTestFinished }');
    copy.edit(reference, / {2}it\('creates a pet with.*?\n {2}\}\);\n\n/s, '');
    copy.write('test/e2e/smoke.test.ts', smoke);
    copy.edit('test/daily/behavior/requests.ts', /.*PetStatus \}.*\n/, '');
    copy.edit('test/daily/behavior/requests.ts', '...PetStatus.options', "'available'");

    copy.expectFailure(vitest(tables), 'the table pets');
    copy.edit(tables, /const byStatus.*\n\n/, '');
    copy.edit(tables, /.*pets: \{ key.*\n/, '');
    copy.edit('package.json', /.*"import": .*\n.*"export": .*\n/, '');

    const documents = 'test/docs/links.test.ts';
    copy.expectFailure(vitest(documents), 'the README shows a handler as it is');
    copy.run(biome);
    copy.edit(
      'README.md',
      /```ts\nimport \{ serve.*?```/s,
      `\`\`\`ts\n${copy.read('functions/list-orders.ts')}\`\`\``,
    );
    copy.edit(
      'requests.http',
      /### List pets.*/s,
      '### List\n\nGET {{baseUrl}}/customers/{{customer}}/orders\n',
    );
    copy.edit('docs/start-your-own.md', /.*bin\/import\.ts.*\n/, '');
    copy.edit(
      'docs/before-you-rely-on-it.md',
      "pets: 'PetStore-staging-restored-pets",
      "orders: 'PetStore-staging-restored-orders",
    );
    copy.edit('CONTRIBUTING.md', /`npm run import`/, 'Node.js');
    copy.edit(proxy, / {2}it\('calls the API.*?\n {2}\}\);\n\n/s, '');
    copy.edit(proxy, "runCommand('bin/export.ts', []", "runCommand('bin/keys.ts', ['list']");
    for (const file of globSync(['*.md', 'docs/*.md'], { cwd: copy.directory })) {
      const text = copy.read(file);
      copy.write(file, text.replaceAll(linkToPets, '$1'));
    }
  },
};

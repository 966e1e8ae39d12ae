import { globSync, readFileSync } from 'node:fs';
import { biome, operationSettings, type Trial, tsc, vitest } from '../trial.ts';
import { addBookings, bookingSettings } from './bookings.ts';
import { leaveOutTool } from './leave-out.ts';

const service = 'shared/service.ts';
const tables = 'test/infra/service/tables.test.ts';
const reference = 'bin/reference/test/e2e/reference.slow.test.ts';

const howTo = readFileSync('docs/start-your-own.md', 'utf8');
const [deletePets = ''] = /git rm [^`]+/.exec(howTo) ?? [];

const linkToPets =
  /\[([^\]]*)\]\((?:\.\.\/)?(?:docs\/)?(?:shared\/pets|functions\/list-pets|test\/functions\/costs)[^)]*\)/g;

/** What only the pets use, without `.ts`: a test would take a file that is named here for used. */
const unused = ['test/support/dynamodb/meter', 'test/support/functions/next-query'] as const;

/** The rest of what is the service's own: its settings, samples, client and documents. */
const ownPlaces =
  /^(shared\/(service|bookings\/)|functions\/|infra\/settings\/|bin\/local\/samples|test\/\w+\/bookings|docs\/|bin\/reference\/.*\.md|openapi\.json|requests\.http|package(-lock)?\.json|[A-Z]+\.md)/;

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

    for (const tool of ['catalogue', 'client']) leaveOutTool(copy, tool);
    copy.runInShell(deletePets);
    copy.write('bin/local/samples.ts', samples);
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
    copy.edit(reference, / {2}it\('creates a pet from each body.*?(?= {2}\/\/ Scalar's editor)/s, '');
    copy.write('test/e2e/smoke.test.ts', smoke);
    copy.edit('bin/behavior/requests.ts', /.*PetStatus \}.*\n/, '');
    copy.edit('bin/behavior/requests.ts', '...PetStatus.options', "'available'");

    copy.expectFailure(vitest(tables), 'the table pets');
    copy.edit(tables, /const byStatus.*\n\n/, '');
    copy.edit(tables, /.*pets: \{ key.*\n/, '');

    copy.expectFailure(vitest('test/infra/patterns.test.ts'), 'costs,exactly-once');
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

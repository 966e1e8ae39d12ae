import { readdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handlerOf, list, path } from '../../../../test/support/contract/own-operations.ts';
import { apiClient } from '../../../../test/support/e2e/api-client.ts';
import { allItems } from '../../../../test/support/e2e/own-items.ts';
import { CommandProcess, runCommand } from '../../../cli/test/support/command-process.ts';
import { ProjectCopy } from '../../../cli/test/support/project-copy.ts';

// What a terminal shows of the whole project; the tests of bin/local-api/reload have the rest.

const handler = handlerOf(list);
const stack = 'infra/pet-store-stack.ts';
const flags = ['--port', '0', '--pets', '1'];
const mistake = `✘ [ERROR] Could not resolve "./nothing.ts"\n\n    ${stack}:1:7:\n`;

const project = new ProjectCopy();
const { directory } = project;
// To check the types of all takes longer than all that is tested here.
writeFileSync(
  project.path('tsconfig.json'),
  '{ "compilerOptions": { "lib": ["ES5"], "noEmit": true, "types": [] }, "files": ["infra/node-version.ts"] }',
);
const files = readdirSync(directory);
const repaired = project.edit(stack, /^import/, "import './nothing.ts';\nimport");
const start = await runCommand('bin/local/local.ts', flags, { project: directory });
writeFileSync(project.path(stack), repaired);
project.edit(stack, 'super(', "if (stage) throw new Error('no\tstack'); super(");
const dev = new CommandProcess('bin/local/local.ts', ['--watch', ...flags], { project: directory });
const api = { baseUrl: '', apiKey: '' };
beforeAll(async () => {
  await dev.printed('stderr', /Waiting/);
  writeFileSync(project.path(stack), repaired);
  const [, baseUrl = '', apiKey = ''] = await dev.printed(
    'stdout',
    /^Pet Store is ready\. .+:\n\n.*BASE_URL[ =']+([^\s']+).*\n.*API_KEY[ =']+(\w+)/,
  );
  Object.assign(api, { baseUrl, apiKey });
}, 120_000);
afterAll(async () => {
  await dev.exit('SIGTERM');
  project.remove();
});

it('npm start ends with a mistake of the sources on several lines', () => {
  const { exitCode, stdout, stderr } = start;

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr.slice(0, mistake.length)).toBe(mistake);
  expect(stderr.match(/nothing\.ts/g)).toHaveLength(2);
});

it('npm run dev says where a construct fails, and waits until that is repaired', () => {
  const [reported] = dev.printedUntilNow('stderr').split('Waiting for a change.\n');

  const frames = `( {4}at .*\n)* {4}at .*${RegExp.escape(stack)}:\\d+:\\d+\\)\n( {4}at .*\n)*`;
  expect(reported).toMatch(new RegExp(`^Error: no\tstack\n${frames}$`));
});

it('npm run dev prints a line per request', async () => {
  const { headers } = await apiClient(api)('GET', path);

  const line = `^GET /v1${path} 200 \\d+ ms ${headers['x-amzn-requestid']}$`;
  await dev.printed('stdout', new RegExp(line, 'm'));
});

it('npm run dev writes nothing in the project', () => {
  expect(readdirSync(directory)).toStrictEqual(files);
});

it('npm run dev serves the reference of the current sources', async () => {
  project.edit('bin/reference/guide.md', '## Paging', '## Turning pages');

  await dev.printed('stderr', /^Read at the next request: bin\/reference\/guide\.md\n/m);
  const reference = await fetch(new URL('/openapi.json', api.baseUrl));
  expect(await reference.text()).toContain('## Turning pages');
});

it('npm run dev serves a saved handler with the same tables and key', async () => {
  const [sample] = await allItems(apiClient(api));
  project.edit(handler, 'respond(items', 'respond([...items, ...items]');

  await dev.printed('stderr', new RegExp(`^Reloaded in [\\d.]+ s: ${RegExp.escape(handler)}\n`, 'm'));
  expect(await allItems(apiClient(api))).toEqual([sample, sample]);
});

it('npm run dev asks for a restart when the server changes', async () => {
  project.edit('bin/local/local.ts', 'stopOnSignals(', '\nstopOnSignals(');

  await dev.printed('stderr', /^Restart to apply the change: bin\/local\/local\.ts\n$/m);
});

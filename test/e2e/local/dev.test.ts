import { readdirSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { apiClient } from '../../support/e2e/api-client.ts';
import { CommandProcess, runCommand } from '../../support/local/command-process.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

const listPets = 'functions/list-pets.ts';
const flags = ['--port', '0', '--pets', '1'];
const mistake = '✘ [ERROR] Could not resolve "./nothing.ts"\n\n    functions/list-pets.ts:1:7:\n';

/** Returns a copy, which tests may edit, with a mistake. */
function brokenCopy() {
  const project = new ProjectCopy();
  const before = project.edit(listPets, /^import/, "import './nothing.ts';\nimport");
  return { project, repair: () => writeFileSync(project.path(listPets), before) };
}

describe('npm start', { timeout: 120_000 }, () => {
  it('ends with a mistake of the sources on several lines', async () => {
    const { project } = brokenCopy();
    onTestFinished(() => project.remove());

    const { exitCode, stdout, stderr } = await runCommand('bin/local.ts', flags, {
      project: project.directory,
    });

    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr.slice(0, mistake.length)).toBe(mistake);
    expect(stderr.match(/nothing\.ts/g)).toHaveLength(2);
  });
});

describe('npm run dev', { timeout: 120_000 }, () => {
  const { project, repair } = brokenCopy();
  const files = readdirSync(project.directory);
  const dev = new CommandProcess('bin/local.ts', ['--watch', ...flags], { project: project.directory });
  const api = { baseUrl: '', apiKey: '' };
  beforeAll(async () => {
    await dev.printed('stderr', /Waiting/);
    repair();
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

  it('waits at the start until a mistake is repaired', () => {
    const [reported] = dev.printedUntilNow('stderr').split('Waiting for a change.\n');

    expect(reported?.slice(0, mistake.length)).toBe(mistake);
    expect(reported?.match(/✘/g)).toHaveLength(1);
  });

  it('prints a line per request', async () => {
    const { headers } = await apiClient(api)('GET', '/pets?limit=1');

    const line = `^GET /v1/pets\\?limit=1 200 \\d+ ms ${headers['x-amzn-requestid']}$`;
    await dev.printed('stdout', new RegExp(line, 'm'));
  });

  it('writes nothing in the project', () => {
    expect(readdirSync(project.directory)).toStrictEqual(files);
  });

  it('serves a saved handler with the same tables and key, and prints type errors', async () => {
    project.edit(listPets, /^import/, "const size: number = 'big';\nimport");
    project.edit(listPets, 'respond(items', "respond(items.map((pet) => ({ ...pet, name: 'Saved' }))");

    await dev.printed('stderr', /^Reloaded in [\d.]+ s: functions\/list-pets\.ts\n/m);
    expect(await apiClient(api)('GET', '/pets')).toMatchObject({ status: 200, body: [{ name: 'Saved' }] });
    await dev.printed('stderr', /^2 type errors:\nfunctions\/list-pets\.ts\(1,7\): error TS2322: /m);
  });

  it('serves the reference of the current sources', async () => {
    const reference = async () => (await fetch(new URL('/openapi.json', api.baseUrl))).text();
    expect(await reference()).toContain('## Paging');

    project.edit('infra/reference/guide.md', '## Paging', '## Turning pages');

    await dev.printed('stderr', /^Reloaded in [\d.]+ s: infra\/reference\/guide\.md\n/m);
    expect(await reference()).toContain('## Turning pages');
  });

  it('reports where a construct fails, until it is repaired', async () => {
    const file = 'infra/monitoring/indicators.ts';
    const before = project.edit(
      file,
      'super(scope, id);',
      "super(scope, id); throw new Error('no\talarms');",
    );

    const frames = ' {4}at .*infra/monitoring/indicators\\.ts:\\d+:\\d+\\)\n( {4}at .*\n)+';
    const outcome = `Not reloaded: ${file}\\. The last good version serves\\.\n`;
    await dev.printed('stderr', new RegExp(`^Error: no\talarms\n${frames}${outcome}`, 'm'));
    writeFileSync(project.path(file), before);
    await dev.printed('stderr', new RegExp(`${outcome}([^]*\n)?Reloaded in [\\d.]+ s: ${file}\n`));
  });

  it('asks for a restart when the server changes', async () => {
    project.edit('bin/local.ts', 'stopOnSignals(', '\nstopOnSignals(');

    await dev.printed('stderr', /^Restart to apply the change: bin\/local\.ts\n$/m);
  });
});

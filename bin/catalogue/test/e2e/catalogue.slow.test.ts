import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { describe, expect, it, vi } from 'vitest';
import { stringifyJson } from '../../../../shared/contract/json.ts';
import { exampleNewPet, examplePet } from '../../../../shared/pets/operations.ts';
import { apiKey, baseUrl } from '../../../../test/support/e2e/api-client.ts';
import { temporaryFile } from '../../../../test/support/e2e/temporary-file.ts';
import { CommandProcess } from '../../../cli/test/support/command-process.ts';
import { respond, type StubResponse, startStubApi } from '../../../cli/test/support/stub-api.ts';

const start = (command: 'import' | 'export', args: readonly string[], address = baseUrl, key = apiKey) =>
  new CommandProcess(`bin/catalogue/${command}.ts`, args, {
    environment: { BASE_URL: address, API_KEY: key },
  });
const run = (...command: Parameters<typeof start>) => start(...command).exit();

function write(name: string, lines: readonly string[]): string {
  const file = temporaryFile(name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

/** Those of resumed.csv, as the first release sends them. */
const recordedKeys = [2, 4].map(
  (line) => `65502176fbfc32befd464421937c2eaf5cf56e16f0d5066270e5dd74658a02b7-${line}`,
);

const soldPet = { ...exampleNewPet, categoryId: 9007199254740993n, status: 'sold' };
const petLine = (name: string) => stringifyJson({ ...soldPet, name });
const created = respond(201, stringifyJson(examplePet));

describe('npm run import', { timeout: 120_000 }, () => {
  it('prints rejected rows, and creates the others once, however often it is repeated', async () => {
    const file = write('pets.csv', ['id,title,state,categoryId', '1,Good,sold,1', '2,Bad,lost,2']);
    const command = [file, '--map', 'title=name', '--map', 'state=status', '--new-ids'];

    const first = await run('import', command);
    const second = await run('import', command);

    // A status may be added.
    const rejected =
      /^{"name":"Bad","status":"lost","categoryId":2,"rejected":{"line":3,"reason":"status must be one of available, pending, sold(, [\w-]+)*\."}}\n$/;
    expect(first).toStrictEqual({
      exitCode: 2,
      stdout: expect.stringMatching(rejected),
      stderr: expect.stringMatching(/\nCreated 1, already existed 0, rejected 1\.\n$/),
    });
    expect(second.stderr).toMatch(/\nCreated 0, already existed 1, rejected 1\.\n$/);
  });

  // Windows ends the process instead.
  it.skipIf(process.platform === 'win32')('resumes what was interrupted with the same keys', async () => {
    const file = write('resumed.csv', ['name,categoryId', 'Bella,1', '', 'Milo,2']);
    const failing = await startStubApi(created, respond(503, '{}', { 'Retry-After': '60' }));
    const working = await startStubApi(created);
    const command = ['import', [file, '--concurrency', '1']] as const;

    const stopped = start(...command, failing.baseUrl);
    await vi.waitFor(() => expect(failing.requests).toHaveLength(2), { timeout: 60_000 });
    const { exitCode, stderr } = await stopped.exit('SIGINT');
    const resumed = await run(...command, working.baseUrl);

    const keysOf = (api: typeof working) => api.requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(/Created 1, .+\nerror: Interrupted: run the same command again to resume\.\n$/s);
    expect(resumed).toMatchObject({ exitCode: 0, stdout: '' });
    expect(keysOf(failing)).toStrictEqual(recordedKeys);
    expect(keysOf(working)).toStrictEqual(recordedKeys);
  });

  it('sends nothing with --dry-run, and reads its own rejected rows', async () => {
    const row = '{"name":"Bad","rejected":{"line":2,"reason":"categoryId is required."}}';
    const file = write('dry-run.ndjson', [petLine('Good'), row, '{bad}']);
    const stub = await startStubApi(created);

    const checked = await run('import', [file, '--dry-run'], stub.baseUrl);

    const reason = 'The line must be well-formed JSON: see column 2.';
    const unreadable = JSON.stringify({ rejected: { line: 3, reason, text: '{bad}' } });
    expect(checked.stdout).toBe(`${row}\n${unreadable}\n`);
    expect(checked.stderr).toMatch(/\nWould create 1, already existed 0, rejected 2\.\n$/);
    expect(stub.requests).toStrictEqual([]);
  });
});

it('npm run import says how to split a file that is too large', async () => {
  const file = temporaryFile('pets.csv');
  writeFileSync(file, '');
  truncateSync(file, 600 * 1024 * 1024);

  const { exitCode, stderr } = await run('import', [file, '--dry-run']);

  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^error: \S+ has more than 512 MiB: split it, as split -l 1000000 does, /);
});

describe('npm run export', { timeout: 120_000 }, () => {
  const exported = [
    { ...examplePet, ...soldPet, id: 1n, name: '=1+1' },
    { ...examplePet, ...soldPet, id: 2n, name: 'a, b', categoryId: -5n },
  ];
  const pets = stringifyJson(exported);

  it('writes the catalogue as CSV', async () => {
    const stub = await startStubApi(respond(200, pets));

    const { stdout, ...ended } = await run(
      'export',
      ['--status', 'sold', '--no-escape-formulas'],
      stub.baseUrl,
    );

    expect(ended).toStrictEqual({ exitCode: 0, stderr: '' });
    expect(parse(stdout, { bom: true, columns: true })).toMatchObject([
      { id: '1', name: '=1+1', categoryId: '9007199254740993', status: 'sold' },
      { id: '2', name: 'a, b', categoryId: '-5', status: 'sold' },
    ]);
    expect(stub.requests).toMatchObject([{ url: expect.stringMatching(/^\/v1\/pets\?.*status=sold$/) }]);
  });

  it('writes NDJSON to a file', async () => {
    const stub = await startStubApi(respond(200, pets));
    const file = temporaryFile('pets.ndjson');

    const ended = await run('export', ['--output', file], stub.baseUrl);

    expect(ended).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toBe(exported.map((pet) => `${stringifyJson(pet)}\n`).join(''));
  });

  it('keeps an earlier export when a later page fails', async () => {
    const next = { Link: '</v1/pets?cursor=x>; rel="next"' };
    const unauthorized = { code: 'unauthorized', message: 'No.', status: 401 };
    const stub = await startStubApi(respond(200, pets, next), respond(401, unauthorized));
    const file = write('pets.csv', ['an earlier export']);

    const ended = await run('export', ['--output', file], stub.baseUrl);

    const stderr = 'error: The API rejected the key: set API_KEY to a valid one.\n';
    expect(ended).toStrictEqual({ exitCode: 1, stdout: '', stderr });
    expect(readFileSync(file, 'utf8')).toBe('an earlier export\n');
  });

  it('exits quietly when its reader stops early', async () => {
    let pages = 0;
    const endless: StubResponse = (response) => {
      pages += 1;
      respond(200, pets, { Link: `</v1/pets?cursor=${pages}>; rel="next"` })(response);
    };
    const stub = await startStubApi(endless);

    const exported = start('export', [], stub.baseUrl);
    await exported.printed('stdout', /'=1\+1/);
    exported.stopReading('stdout');

    expect(await exported.exit()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

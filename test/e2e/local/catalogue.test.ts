import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { respond, startStubApi } from '../../support/catalogue/stub-api.ts';
import { readPage, readPages } from '../../support/e2e/pets.ts';
import type { Outcome } from '../../support/local/command-process.ts';
import { startCommand } from '../../support/local/command-process.ts';
import { type RunningApi, startLocalApi } from '../../support/local/local-process.ts';

const noApi = 'http://127.0.0.1:1/v1';
const resumeMessage =
  'Interrupted: run the same command again to go on; what was created is not created again.';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
let api: RunningApi;

beforeAll(async () => {
  api = await startLocalApi('--pets', '0');
}, 120_000);
afterAll(async () => {
  await api.process.exit('SIGTERM');
  rmSync(directory, { recursive: true });
});

interface Where {
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly input?: string;
  readonly temporary?: string;
}

function start(script: string, args: readonly string[], { input = '', temporary, ...where }: Where = {}) {
  const { baseUrl, apiKey } = { ...api, ...where };
  const environment = { BASE_URL: baseUrl, API_KEY: apiKey, ...(temporary && { TMPDIR: temporary }) };
  return startCommand(script, args, { environment, input });
}

const startImport = (args: readonly string[], where?: Where) => start('bin/import.ts', args, where);
const runImport = (args: readonly string[], where?: Where) => startImport(args, where).outcome;
const runExport = (args: readonly string[], where?: Where) => start('bin/export.ts', args, where).outcome;

/** A file of a catalogue. */
function write(name: string, lines: readonly string[]): string {
  const file = join(directory, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

/** The names of all pets of a status, in order. */
async function namesOf(status: string): Promise<string[]> {
  const pages = await readPages(`?limit=100&status=${status}`, api.call);
  return pages.flatMap(({ pets }) => pets.map(({ name }) => name)).toSorted();
}

/** Waits until there are so many pets of a status, at most a page of them. */
async function untilThereAre(count: number, status: string): Promise<void> {
  const { pets } = await readPage(`?limit=100&status=${status}`, api.call);
  if (pets.length < count) await untilThereAre(count, status);
}

const petLine = (name: string, status: string) => JSON.stringify({ name, categoryId: 1, status });

describe('npm run import', { timeout: 120_000 }, () => {
  it('that was killed half way goes on where it was, creates nothing twice, and keeps what is refused to be mended', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `Killed ${index + 1}`);
    const bad = '{"name":"Mended","categoryId":9007199254740993,"status":"lost"}';
    const file = write('killed.ndjson', [bad, ...names.map((name) => petLine(name, 'available'))]);
    const refused = `${file}.refused.ndjson`;

    const first = startImport([file, '--concurrency', '4']);
    await untilThereAre(20, 'available');
    first.kill('SIGKILL');
    await first.outcome;
    const created = await namesOf('available');
    const second = await runImport([file]);
    const all = await namesOf('available');

    const [, createdCount = 0, replayedCount = 0] =
      /^Created (\d+), there already (\d+), refused 1, in [\d.]+ s \(\d+\/s\)\.\n/.exec(second.stdout) ?? [];
    const refusedText = readFileSync(refused, 'utf8');
    expect(created.length).toBeLessThan(120);
    expect(second.exitCode).toBe(2);
    expect(second.stdout).toContain(`The refused rows and the reasons are in ${refused}: `);
    expect(Number(createdCount) + Number(replayedCount)).toBe(120);
    expect(Number(replayedCount)).toBeGreaterThanOrEqual(created.length);
    expect(all).toStrictEqual(names.toSorted());
    expect(refusedText).toBe(
      `${bad.slice(0, -1)},"refused":{"line":1,"reason":"status must be one of available, pending, sold."}}\n`,
    );

    writeFileSync(refused, refusedText.replace('"lost"', '"available"'));
    const mended = await runImport([refused]);

    expect(mended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Created 1, /) });
    expect(await namesOf('available')).toStrictEqual(['Mended', ...names].toSorted());
  });

  it('stops at Ctrl-C and says how to resume', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `Interrupted ${index + 1}`);
    const file = write(
      'interrupted.ndjson',
      names.map((name) => petLine(name, 'pending')),
    );

    const first = startImport([file, '--concurrency', '1']);
    await untilThereAre(5, 'pending');
    first.kill('SIGINT');
    const interrupted = await first.outcome;
    const created = await namesOf('pending');

    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.stdout).toMatch(
      new RegExp(`^Created ${created.length}, there already 0, refused 0, in .+\\n${resumeMessage}\\n$`),
    );
    expect(created.length).toBeLessThan(100);
  });

  it('stops at Ctrl-C though the API responds with nothing but 503', async () => {
    const unavailable = respond(503, '', { 'Retry-After': '1' });
    const { promise: called, resolve: onCalled } = Promise.withResolvers<void>();
    const stub = await startStubApi((response) => {
      unavailable(response);
      onCalled();
    });
    onTestFinished(stub.close);
    const file = write('unavailable.ndjson', [petLine('Waiting', 'sold')]);

    const first = startImport([file], { baseUrl: stub.baseUrl });
    await called;
    first.kill('SIGINT');
    const { exitCode, stdout } = await first.outcome;

    expect(exitCode).toBe(130);
    expect(stdout).toContain(`\n${resumeMessage}\n`);
  });

  it('reads from a pipe CSV whose columns have other names, and leaves nothing behind', async () => {
    const temporary = join(directory, 'temporary');
    mkdirSync(temporary);
    const input =
      '\uFEFFtitle,category_id,status\r\n"Piped, ""1""\nBell",9223372036854775807,sold\r\nPiped 2,-1,sold\r\n';
    const flags = ['--format', 'csv', '--map', 'title=name', '--map', 'category_id=categoryId'];

    const { exitCode, stdout } = await runImport(['-', '--refused', join(directory, 'piped'), ...flags], {
      input,
      temporary,
    });
    const listed = await api.call('GET', '/pets?status=sold');

    expect(stdout).toMatch(/^Created 2, there already 0, refused 0, in .+\n$/);
    expect(exitCode).toBe(0);
    expect(listed.text).toContain(
      '"name":"Piped, \\"1\\"\\nBell","categoryId":9223372036854775807,"status":"sold"}',
    );
    expect(listed.body).toHaveLength(2);
    expect(readdirSync(temporary)).toStrictEqual([]);
  });

  it('checks with --dry-run every line, and sends nothing', async () => {
    const good = petLine('Good', 'sold');
    const file = write('dry-run.ndjson', [good, '{"name":"Bad"}', '\u001b[2Jnonsense', good]);

    const checked = await runImport([file, '--dry-run'], { baseUrl: noApi });

    expect(checked).toStrictEqual({
      exitCode: 2,
      stdout: expect.stringMatching(
        /^line 2: categoryId is required\.\nline 3: [^\n]*\\u001b[^\n]*\n2 lines are good, 2 would be refused; nothing was sent\.\n$/,
      ),
      stderr: '',
    });
    expect(existsSync(`${file}.refused.ndjson`)).toBe(false);
  });
});

describe('npm run export', { timeout: 120_000 }, () => {
  it('writes CSV without formulas that, imported, gives the same pets but for ids', async () => {
    const names = ['=1+1', '@Bella', "'-", 'Comma, "quote"', 'Line\nbreak', 'Return\r\n', ' Żółw 🐢\u2028'];
    const categoryIds = ['9223372036854775807', '-9223372036854775808', '9007199254740993'];
    for (const [index, name] of names.entries()) {
      const categoryId = categoryIds[index % categoryIds.length];
      const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"sold"}`;
      await api.call('POST', '/pets', { body });
    }
    const sold = ['--status', 'sold'];
    const file = join(directory, 'export.csv');

    const exported = await runExport([...sold, '--out', file, '--escape-formulas']);
    const imported = await runImport([file, '--unescape-formulas']);
    const all = await runExport(sold);

    const pets = all.stdout.trimEnd().split('\n');
    const counts = Object.values(Object.groupBy(pets, (line) => line.replace(/^\{"id":\d+,/, '{')));
    expect(exported).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(readFileSync(file, 'utf8')).toMatch(/^id,name,categoryId,status\n/);
    expect(readFileSync(file, 'utf8')).not.toMatch(/,"?[=+@-](?!\d)/);
    expect(imported.stdout).toMatch(new RegExp(`^Created ${pets.length / 2}, there already 0, refused 0, `));
    expect(counts.map((copies) => copies?.length)).toStrictEqual(counts.map(() => 2));
  });
});

describe('a failure is told in one line', { concurrent: true, timeout: 120_000 }, () => {
  const key = generateApiKey('staging');
  const good = write('good.ndjson', [petLine('Good', 'sold')]);
  const precious = write('precious.txt', ['precious']);

  it.each<[title: string, run: () => Promise<Outcome>, message: string]>([
    [
      'an import with a wrong key',
      () => runImport([good], { apiKey: key }),
      'The API does not accept the key: set API_KEY to a good one.',
    ],
    [
      'an export where no API is, with a key in its address',
      () => runExport([], { baseUrl: `${noApi}/${key.replaceAll('_', '%5F')}` }),
      `No API responds at ${noApi}/petstore_staging_…: start it, or give its --base-url.`,
    ],
    [
      'an import with a key for a number',
      () => runImport([good, '--concurrency', key]),
      "option '--concurrency <number>' argument 'petstore_staging_…' is invalid. It must be an integer from 1 to 1000.",
    ],
    [
      'an import of a file whose name has control characters',
      () => runImport(['\u001b[2J']),
      "ENOENT: no such file or directory, stat '\\u001b[2J'",
    ],
    [
      'an import whose refused rows would take the place of its input',
      () => runImport([good, '--refused', good, '--force']),
      `${good} is what is read: give another name.`,
    ],
    [
      'an export by force that fails',
      () => runExport(['--out', precious, '--force'], { baseUrl: noApi }),
      `No API responds at ${noApi}: start it, or give its --base-url.`,
    ],
    [
      'an import with a column that is not there, dry run included',
      () => runImport([good, '--dry-run', '--map', 'state=status']),
      'There is no column state. The columns are: name, categoryId, status.',
    ],
  ])('%s', async (_title, run, message) => {
    expect(await run()).toStrictEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` });
    expect(readFileSync(precious, 'utf8')).toBe('precious\n');
    expect(readFileSync(good, 'utf8')).toBe(`${petLine('Good', 'sold')}\n`);
  });
});

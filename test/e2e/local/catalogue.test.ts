import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { respond, startStubApi } from '../../support/catalogue/stub-api.ts';
import { apiKey, baseUrl } from '../../support/e2e/api-client.ts';
import { readPages } from '../../support/e2e/pets.ts';
import { CommandProcess, type Outcome } from '../../support/local/command-process.ts';

const noApi = 'http://127.0.0.1:1/v1';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
afterAll(() => rmSync(directory, { recursive: true }));

interface Where {
  readonly environment?: Readonly<Record<string, string>>;
  readonly input?: string;
}

function start(script: string, args: readonly string[], { environment, input }: Where = {}): CommandProcess {
  const machine = { environment: { BASE_URL: baseUrl, API_KEY: apiKey, ...environment }, input };
  return new CommandProcess(script, args, machine);
}

const runImport = (args: readonly string[], where?: Where) => start('bin/import.ts', args, where).exit();
const runExport = (args: readonly string[], where?: Where) => start('bin/export.ts', args, where).exit();

/** A file of a catalogue. */
function write(name: string, lines: readonly string[]): string {
  const file = join(directory, name);
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''));
  return file;
}

const petLine = (name: string) => JSON.stringify({ name, categoryId: 1, status: 'sold' });

/** The names of all pets that start with a prefix, in order. */
async function namesWith(prefix: string): Promise<string[]> {
  const pages = await readPages('?limit=100');
  const names = pages.flatMap(({ pets }) => pets.map(({ name }) => name));
  return names.filter((name) => name.startsWith(prefix)).toSorted();
}

/** The API until it has responded to so many creates: from then on there is only 503. */
async function startFailingApi(creates: number) {
  const { promise: failing, resolve } = Promise.withResolvers<void>();
  let count = 0;
  const proxy = createServer((sent, response) => {
    const { method, url = '', headers } = sent;
    if (method === 'POST') count += 1;
    if (count > creates) {
      response.writeHead(503, { 'Retry-After': '1' }).end();
      return resolve();
    }
    const onResponse = (forwarded: IncomingMessage) =>
      forwarded.pipe(response.writeHead(forwarded.statusCode ?? 500, forwarded.headers));
    sent.pipe(request(new URL(url, baseUrl), { method, headers }, onResponse));
  });
  const port = await listen(proxy);
  onTestFinished(() => close(proxy));
  return { environment: { BASE_URL: `http://127.0.0.1:${port}/v1` }, failing };
}

describe('npm run import', { timeout: 120_000 }, () => {
  it('that was killed, then stopped by Ctrl-C while the API fails, goes on where it was, creates nothing twice, and keeps what is refused to be mended', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `Imported ${index + 1}`);
    const bad = '{"name":"Imported mended","categoryId":9007199254740993,"status":"lost"}';
    const file = write('resumed.ndjson', [...names.map(petLine), bad]);
    const refused = `${file}.refused.ndjson`;

    const first = await startFailingApi(8);
    const killed = start('bin/import.ts', [file, '--concurrency', '4'], first);
    await first.failing;
    await killed.exit('SIGKILL');
    const created = await namesWith('Imported');
    const second = await startFailingApi(20);
    const stopped = start('bin/import.ts', [file, '--concurrency', '1'], second);
    await second.failing;
    const { exitCode, stdout } = await stopped.exit('SIGINT');
    const resumed = await runImport([file]);

    // What is tried once more, on a busy machine, counts as there already.
    const done = /^Created (\d+), there already (\d+), refused 0, in .+\n/.exec(stdout)?.slice(1).map(Number);
    const [createdNow = 0, replayedNow = 0] =
      /^Created (\d+), there already (\d+), refused 1, in [\d.]+ s \(\d+\/s\)\.\n/
        .exec(resumed.stdout)
        ?.slice(1)
        .map(Number) ?? [];
    expect(done?.[1]).toBeGreaterThanOrEqual(created.length);
    expect(replayedNow).toBeGreaterThanOrEqual((done?.[0] ?? 30) + created.length);
    expect(createdNow + replayedNow).toBe(30);
    expect(stdout).toContain(
      '\nInterrupted: run the same command again to go on; what was created is not created again.\n',
    );
    expect(exitCode).toBe(130);
    expect(resumed.exitCode).toBe(2);
    expect(resumed.stdout).toContain(`The refused rows and the reasons are in ${refused}: `);
    expect(await namesWith('Imported')).toStrictEqual(names.toSorted());
    expect(readFileSync(refused, 'utf8')).toBe(
      `${bad.slice(0, -1)},"refused":{"line":31,"reason":"status must be one of available, pending, sold."}}\n`,
    );

    writeFileSync(refused, readFileSync(refused, 'utf8').replace('"lost"', '"available"'));
    const mended = await runImport([refused]);

    expect(mended).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Created 1, /) });
    expect(await namesWith('Imported')).toStrictEqual([...names, 'Imported mended'].toSorted());
  });

  it('checks with --dry-run every line, and sends nothing', async () => {
    const good = petLine('Good');
    const file = write('dry-run.ndjson', [good, '{"name":"Bad"}', '\u001b[2Jnonsense', good]);

    const checked = await runImport([file, '--dry-run'], { environment: { BASE_URL: noApi } });

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
  it('writes CSV without formulas that, piped into an import with another column name, gives the same pets but for ids', async () => {
    const names = ['=1+1', '@Bella', "'-", 'Comma, "quote"', 'Line\nbreak', 'Return\r\n', ' Żółw 🐢\u2028'];
    const categoryIds = ['9223372036854775807', '-9223372036854775808', '9007199254740993'];
    const pets = names.map((name, index) => {
      const categoryId = categoryIds[index % categoryIds.length];
      return `"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"sold"}`;
    });
    const stub = await startStubApi(
      respond(200, `[${pets.map((pet, index) => `{"id":${index + 1},${pet}`)}]`),
    );
    onTestFinished(stub.close);
    const file = join(directory, 'export.csv');

    const exported = await runExport(['--status', 'sold', '--out', file, '--escape-formulas'], {
      environment: { BASE_URL: stub.baseUrl },
    });
    const input = readFileSync(file, 'utf8').replace('id,name,', 'id,title,');
    const temporary = join(directory, 'temporary');
    mkdirSync(temporary);
    const flags = ['--format', 'csv', '--map', 'title=name', '--unescape-formulas'];
    const imported = await runImport(['-', '--refused', join(directory, 'refused'), ...flags], {
      input,
      environment: { TMPDIR: temporary },
    });
    const all = await runExport(['--status', 'sold']);

    expect(exported).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(stub.requests.at(-1)?.url).toContain('status=sold');
    expect(input).toMatch(/^id,title,categoryId,status\n/);
    expect(input).not.toMatch(/,"?[=+@-](?!\d)/);
    expect(imported.stdout).toMatch(/^Created 7, there already 0, refused 0, in .+\n$/);
    expect(readdirSync(temporary)).toStrictEqual([]);
    const lines = all.stdout.split('\n').map((line) => line.replace(/^\{"id":\d+,/, ''));
    expect(lines.filter((line) => pets.includes(line)).toSorted()).toStrictEqual(pets.toSorted());
  });
});

describe('a failure is told in one line', { concurrent: true, timeout: 120_000 }, () => {
  const key = generateApiKey('staging');
  const good = write('good.ndjson', [petLine('Good')]);
  const precious = write('precious.txt', ['precious']);

  it.each<[title: string, run: () => Promise<Outcome>, message: string]>([
    [
      'an import with a wrong key',
      () => runImport([good], { environment: { API_KEY: key } }),
      'The API does not accept the key: set API_KEY to a good one.',
    ],
    [
      'an export by force where no API is, with a key in its address',
      () =>
        runExport(['--out', precious, '--force'], {
          environment: { BASE_URL: `${noApi}/${key.replaceAll('_', '%5F')}` },
        }),
      `No API responds at ${noApi}/petstore_staging_…: start it, or give its --base-url.`,
    ],
    [
      'an import whose refused rows would take the place of its input',
      () => runImport([good, '--refused', good, '--force']),
      `${good} is what is read: give another name.`,
    ],
    [
      'an import with a column that is not there, dry run included',
      () => runImport([good, '--dry-run', '--map', 'state=status']),
      'There is no column state. The columns are: name, categoryId, status.',
    ],
  ])('%s', async (_title, run, message) => {
    expect(await run()).toStrictEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` });
    expect(readFileSync(precious, 'utf8')).toBe('precious\n');
    expect(readFileSync(good, 'utf8')).toBe(`${petLine('Good')}\n`);
  });
});

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
import { answer, startStubApi } from '../../support/catalogue/stub-api.ts';
import { readPage, readPages } from '../../support/e2e/pets.ts';
import type { Outcome } from '../../support/local/command-process.ts';
import { startCommand } from '../../support/local/command-process.ts';
import { type RunningApi, startLocalApi } from '../../support/local/local-process.ts';

const noApi = 'http://127.0.0.1:1/v1';
const categoryIdMessage = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';
const resumeMessage =
  'Interrupted: run the same command again to go on; what was created is not created again.';

const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
let api: RunningApi;
let otherApi: RunningApi;

beforeAll(async () => {
  [api, otherApi] = await Promise.all([startLocalApi('--pets', '0'), startLocalApi('--pets', '0')]);
});
afterAll(async () => {
  await Promise.all([api.process.exit('SIGTERM'), otherApi.process.exit('SIGTERM')]);
  rmSync(directory, { recursive: true });
});

interface Where {
  readonly at?: Pick<RunningApi, 'baseUrl' | 'apiKey'>;
  readonly input?: string;
}

const start = (script: string, args: readonly string[], { at = api, input }: Where = {}) =>
  startCommand(script, [...args, '--base-url', at.baseUrl], { environment: { API_KEY: at.apiKey }, input });

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

/** The pets of a catalogue in NDJSON but for their ids, in order. */
const withoutIds = ({ stdout }: Outcome) =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/^\{"id":\d+,/, '{'))
    .toSorted();

const petLine = (name: string, status: string) => JSON.stringify({ name, categoryId: 1, status });

/** What is wrong with every thirtieth line. */
const badLines = [
  ['{"name":"Bad","categoryId":"1"}', categoryIdMessage],
  ['{"name":"Bad"}', 'categoryId is required.'],
  ['{"name":"Bad","categoryId":1,"status":"lost"}', 'status must be one of available, pending, sold.'],
  ['"Bad"', 'The body must be a JSON object.'],
] as const;

describe('npm run import', () => {
  it('that was killed half way goes on where it was, and creates nothing twice', async () => {
    const lines = Array.from({ length: 600 }, (_, index) => {
      const [bad] = badLines[(index / 30) % badLines.length] ?? [];
      return bad ?? petLine(`Killed ${index + 1}`, 'available');
    });
    const refused = lines.flatMap((line, index) => {
      const reason = badLines.find(([bad]) => bad === line)?.[1];
      return reason === undefined ? [] : [{ line: index + 1, reason }];
    });
    const good = lines.filter((line) => line.includes('Killed')).map((line) => JSON.parse(line).name);
    const file = write('killed.ndjson', lines);

    const first = startImport([file, '--concurrency', '4']);
    await untilThereAre(100, 'available');
    first.kill('SIGKILL');
    const { exitCode } = await first.outcome;
    const created = await namesOf('available');
    const second = await runImport([file]);
    const all = await namesOf('available');

    const summary = /^Created (\d+), there already (\d+), refused 20, in [\d.]+ s \(\d+\/s\)\.\n/;
    const [, createdCount = 0, replayedCount = 0] = summary.exec(second.stdout) ?? [];
    const refusedFile = readFileSync(`${file}.refused.ndjson`, 'utf8').trimEnd().split('\n');
    expect(exitCode).toBeNull();
    expect(created.length).toBeLessThan(580);
    expect(second.exitCode).toBe(2);
    expect(second.stdout).toContain(`The refused lines and their reasons are in ${file}.refused.ndjson.\n`);
    expect(Number(createdCount) + Number(replayedCount)).toBe(580);
    expect(Number(replayedCount)).toBeGreaterThanOrEqual(created.length);
    expect(all).toStrictEqual(good.toSorted());
    expect(refused).toHaveLength(20);
    expect(refusedFile.map((line) => JSON.parse(line)).toSorted((a, b) => a.line - b.line)).toStrictEqual(
      refused,
    );
  });

  it('stops at Ctrl-C and says how to resume', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `Interrupted ${index + 1}`);
    const file = write(
      'interrupted.ndjson',
      names.map((name) => petLine(name, 'pending')),
    );

    const first = startImport([file, '--concurrency', '1']);
    await untilThereAre(10, 'pending');
    first.kill('SIGINT');
    const interrupted = await first.outcome;
    const created = await namesOf('pending');
    const resumed = await runImport([file]);

    const rest = names.length - created.length;
    const all = await namesOf('pending');
    expect(interrupted.exitCode).toBe(130);
    expect(interrupted.stdout).toMatch(
      new RegExp(`^Created ${created.length}, there already 0, refused 0, in .+\\n${resumeMessage}\\n$`),
    );
    expect(created.length).toBeLessThan(200);
    expect(resumed.exitCode).toBe(0);
    expect(resumed.stdout).toMatch(
      new RegExp(`^Created ${rest}, there already ${created.length}, refused 0, in .+\\n$`),
    );
    expect(resumed.stderr).toContain(' 200/200 ');
    expect(all).toStrictEqual(names.toSorted());
  });

  it('stops at Ctrl-C though the API answers nothing but 503', async () => {
    const unavailable = answer(503, '', { 'Retry-After': '1' });
    const { promise: called, resolve: onCalled } = Promise.withResolvers<void>();
    const stub = await startStubApi((response) => {
      unavailable(response);
      onCalled();
    });
    onTestFinished(stub.close);
    const file = write('unavailable.ndjson', [petLine('Waiting', 'sold')]);

    const first = startImport([file], { at: { ...api, baseUrl: stub.baseUrl } });
    await called;
    first.kill('SIGINT');
    const { exitCode, stdout } = await first.outcome;

    expect(exitCode).toBe(130);
    expect(stdout).toMatch(
      new RegExp(`^Created 0, there already 0, refused 0, in .+\\n${resumeMessage}\\n$`),
    );
  });

  it('reads from standard input CSV whose columns have other names, and leaves nothing behind', async () => {
    const temporary = join(directory, 'temporary');
    mkdirSync(temporary);
    const input =
      '\uFEFFtitle,category_id,status\r\n"Piped, ""1""\nBell",9223372036854775807,sold\r\nPiped 2,-1,sold\r\n';
    const flags = ['--format', 'csv', '--map', 'title=name', '--map', 'category_id=categoryId'];

    const { exitCode, stdout } = await startCommand(
      'bin/import.ts',
      ['-', ...flags, '--base-url', api.baseUrl],
      { environment: { API_KEY: api.apiKey, TMPDIR: temporary }, input },
    ).outcome;
    const listed = await api.call('GET', '/pets?status=sold');

    expect(stdout).toMatch(/^Created 2, there already 0, refused 0, in .+\n$/);
    expect(exitCode).toBe(0);
    expect(listed.text).toContain(
      '"name":"Piped, \\"1\\"\\nBell","categoryId":9223372036854775807,"status":"sold"}',
    );
    expect(listed.text).toContain('"name":"Piped 2","categoryId":-1,"status":"sold"}');
    expect(listed.body).toHaveLength(2);
    expect(readdirSync(temporary)).toStrictEqual([]);
  });

  it('checks with --dry-run every line, and sends nothing', async () => {
    const good = petLine('Good', 'sold');
    const file = write('dry-run.ndjson', [good, ...badLines.map(([bad]) => bad), good]);

    const checked = await startCommand('bin/import.ts', [file, '--dry-run', '--base-url', noApi]).outcome;

    expect(checked).toStrictEqual({
      exitCode: 2,
      stdout: [
        ...badLines.map(([, reason], index) => `line ${index + 2}: ${reason}\n`),
        '2 lines are good, 4 would be refused; nothing was sent.\n',
      ].join(''),
      stderr: '',
    });
    expect(existsSync(`${file}.refused.ndjson`)).toBe(false);
  });
});

describe('npm run export', () => {
  const names = ['Quote "', 'Comma ,', 'Line\nbreak', 'Return\r\n', ' Spaces ', 'Żółw 🐢', 'Separator\u2028'];
  const categoryIds = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'];

  beforeAll(async () => {
    for (const [index, name] of names.entries()) {
      const categoryId = categoryIds[index % categoryIds.length];
      const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"sold"}`;
      await api.call('POST', '/pets', { body });
    }
  });

  it('writes a file of CSV that, imported, gives the same catalogue but for ids', async () => {
    const file = join(directory, 'export.csv');

    const exported = await runExport(['--format', 'csv', '--out', file]);
    const imported = await runImport([file], { at: otherApi });

    const [original, copy] = await Promise.all([runExport([]), runExport([], { at: otherApi })]);
    const count = withoutIds(original).length;
    expect(exported).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(imported.exitCode).toBe(0);
    expect(imported.stdout).toMatch(new RegExp(`^Created ${count}, there already 0, refused 0, `));
    expect(count).toBeGreaterThanOrEqual(names.length);
    expect(withoutIds(copy)).toStrictEqual(withoutIds(original));
  });

  it('writes to standard output NDJSON that, imported, gives the same pets but for ids', async () => {
    const sold = ['--status', 'sold'];
    const refused = join(directory, 'refused.ndjson');
    const before = await runExport(sold, { at: otherApi });

    const exported = await runExport(sold);
    const imported = await runImport(['-', '--refused', refused], { at: otherApi, input: exported.stdout });

    const after = await runExport(sold, { at: otherApi });
    expect(imported.exitCode).toBe(0);
    expect(withoutIds(exported).length).toBeGreaterThanOrEqual(names.length);
    expect(withoutIds(after)).toStrictEqual([...withoutIds(before), ...withoutIds(exported)].toSorted());
  });
});

describe('a failure is told in one line', { concurrent: true }, () => {
  const good = write('good.ndjson', [petLine('Good', 'sold')]);
  const bad = write('bad.ndjson', ['{}', ...Array.from({ length: 20 }, () => petLine('Good', 'sold'))]);
  const unclosed = write('unclosed.csv', ['name,categoryId', 'Bella,1', '"Milo,2']);
  const missing = join(directory, 'missing', 'file');
  const wrongKey = () => ({ at: { ...api, apiKey: generateApiKey('staging') } });
  const nowhere = () => ({ at: { ...api, baseUrl: noApi } });

  it.each<[title: string, run: () => Promise<Outcome>, message: string | RegExp]>([
    [
      'an import with a wrong key',
      () => runImport([good], wrongKey()),
      'The API does not accept the key: set API_KEY to a good one.',
    ],
    [
      'an export with a wrong key',
      () => runExport([], wrongKey()),
      'The API does not accept the key: set API_KEY to a good one.',
    ],
    [
      'an import where no API is',
      () => runImport([good], nowhere()),
      `No API answers at ${noApi}: start it, or give its --base-url.`,
    ],
    [
      'an export where no API is',
      () => runExport([], nowhere()),
      `No API answers at ${noApi}: start it, or give its --base-url.`,
    ],
    ['an import of a file that is missing', () => runImport([missing]), /^ENOENT: .+ '.+missing.file'$/],
    [
      'an import of CSV with a quote that is never closed',
      () => runImport([unclosed]),
      /^Quote Not Closed: /,
    ],
    [
      'an import whose refused lines have no place',
      () => runImport([bad, '--refused', missing]),
      /^ENOENT: .+missing/,
    ],
    [
      'an import whose refused lines are to be in a directory',
      () => runImport([bad, '--refused', directory]),
      /EISDIR/,
    ],
    [
      'an export with a key that no header can hold',
      () => runExport([], { at: { ...api, apiKey: 'petstore_staging_…' } }),
      'That is no API key: set API_KEY to a good one.',
    ],
    [
      'an export to a file that has no place',
      () => runExport(['--out', missing]),
      /^ENOENT: .+ '.+missing.file'$/,
    ],
    [
      'an import from standard input without a key',
      () => startCommand('bin/import.ts', ['-']).outcome,
      'There is no API key: set API_KEY.',
    ],
    ['an import of nothing', () => runImport([]), "missing required argument 'file'"],
    [
      'an import with a name that is mapped to nothing',
      () => runImport([good, '--map', 'title']),
      "option '--map <name=field>' argument 'title' is invalid. It must be name=field.",
    ],
  ])('%s', async (_title, run, message) => {
    const { exitCode, stdout, stderr } = await run();

    const [, told = ''] = /^error: (.+)\n$/.exec(stderr) ?? [];
    expect({ exitCode, stdout, stderr: told || stderr }).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: message instanceof RegExp ? expect.stringMatching(message) : message,
    });
  });
});

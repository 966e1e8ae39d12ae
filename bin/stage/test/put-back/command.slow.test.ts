import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiKeyTable } from '../../../../shared/keys/api-key.ts';
import { namesOf } from '../../../../shared/tables/table.ts';
import { table } from '../../../../test/support/contract/own-operations.ts';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { CommandProcess } from '../../../cli/test/support/command-process.ts';
import { readVersions } from '../../put-back/id-file.ts';
import { idOf, type StoredItem } from '../../put-back/item.ts';
import { openStage } from '../support/put-back/open-stage.ts';

/** How many items the copy has. */
const total = Number(process.env['PUT_BACK_ITEMS'] ?? 500);

let onPut: () => void = () => undefined;
const stage = await openStage((operation) => {
  if (operation === 'PutItem') onPut();
});

/** Starts the command in a new directory, with answers to its questions. */
function start(directory: string, args: readonly string[], ...answers: readonly string[]): CommandProcess {
  const environment = { BASE_URL: `http://127.0.0.1:${stage.port}/v1` };
  const input = answers.map((answer) => `${answer}\n`).join('');
  return new CommandProcess(
    resolve('bin/stage/put-back/put-back.ts'),
    ['local', ...args, '--rate', '100000'],
    {
      environment,
      input,
      project: directory,
    },
  );
}

const keyTypes: Readonly<Record<string, 'N' | 'S'>> = table.keyTypes;

function item(number: number, label = 'right'): StoredItem {
  const key = namesOf(table.key).map((name) => [name, { [`${keyTypes[name]}`]: `${number}` }]);
  return { ...Object.fromEntries(key), label: { S: label }, lastWrite: { S: 'before' } };
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);
const idsOf = (numbers: readonly number[]) =>
  numbers.map((number) => `${idOf(table, item(number))}\n`).join('');

it(`puts ${total} items back, although it is interrupted`, { timeout: 120_000 + total * 10 }, async () => {
  const directory = temporaryDirectory(onTestFinished);
  const share = (percent: number) => Math.floor((total * percent) / 100);
  const same = range(0, share(20));
  const wrong = range(share(20), share(30));
  const deleted = range(share(30), share(35)).map((number) => ({
    ...item(number, ''),
    deletedAt: { N: '1' },
  }));
  const later = range(total, total + 50).map((number) => item(number, 'later'));
  const erased = range(share(99), total);
  const own = [...same.map((number) => item(number)), ...deleted, ...later];
  const copied = range(0, total).map((number) => item(number));
  const { name, from } = await stage.create(
    table,
    [...own, ...wrong.map((number) => item(number, 'wrong'))],
    copied,
  );
  const exceptions = join(directory, 'erased.txt');
  writeFileSync(exceptions, idsOf(erased));
  const args = [table.id, '--from', from];

  const first = start(directory, args, exceptions, 'yes');
  let puts = 0;
  const isWriting = new Promise<void>((resolve) => {
    onPut = () => {
      puts += 1;
      if (puts === 150) resolve();
    };
  });
  await Promise.race([isWriting, first.exit()]);
  const interrupted = await first.exit('SIGINT');
  const second = await start(directory, args, exceptions, 'yes').exit();
  const [, list = ''] = /What differs is in (\S+):/.exec(second.stdout) ?? [];
  const third = await start(directory, [...args, '--overwrite', list], 'yes').exit();
  const last = await start(directory, args, exceptions, 'yes').exit();

  expect(interrupted).toMatchObject({
    exitCode: 130,
    stderr: expect.stringMatching(/Interrupted: run the same/),
  });
  const written = Number(/Written: ([\d,]+)/.exec(interrupted.stdout)?.[1]?.replaceAll(',', ''));
  expect(written).toBeGreaterThan(100);
  const missing = share(99) - share(35);
  expect(written).toBeLessThan(missing);
  expect(second, second.stderr).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`Written: ${(missing - written).toLocaleString('en')}.`),
  });
  expect(readFileSync(join(directory, list), 'utf8').split('\n')).toHaveLength(wrong.length + 1);
  expect(third).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining(`Written: ${wrong.length}.`),
  });
  expect(last).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Deleted ${from}.`) });
  const all = [
    ...own,
    ...wrong.map((number) => item(number)),
    ...range(share(35), share(99)).map((number) => item(number)),
  ];
  const expected = all.map((each: StoredItem) => {
    const { lastWrite: _, ...kept } = each;
    return [idOf(table, kept), kept] as const;
  });
  expect(await stage.itemsOf(table, name)).toEqual(Object.fromEntries(expected));
});

it('adds lost keys, but no revocation or purged key is undone', async () => {
  const key = (digit: string, attributes: StoredItem = {}): StoredItem => ({
    keyHash: { S: digit.repeat(64) },
    client: { S: 'acme' },
    createdAt: { N: '1' },
    ...attributes,
  });
  const revoked = key('a', { revokedAt: { N: '2' }, purgeAt: { N: '9999999999' } });
  const purged = key('b', { purgeAt: { N: '1700000000' } });
  const { name, from } = await stage.create(apiKeyTable, [revoked], [key('a'), purged, key('c'), key('d')]);
  const directory = temporaryDirectory(onTestFinished);
  const exceptions = join(directory, 'untrusted.txt');
  writeFileSync(exceptions, 'dddddddddddd\n');

  const args = [apiKeyTable.id, '--from', from, '--except', exceptions];
  const ended = await start(directory, args, 'yes', 'no').exit();

  expect(ended.stdout).toContain(
    '  cccccccccccc of acme, valid\nNobody knows whether these keys were revoked',
  );
  const items = Object.values(await stage.itemsOf(apiKeyTable, name));
  expect(items).toHaveLength(2);
  expect(items).toEqual(expect.arrayContaining([revoked, key('c')]));
});

describe('does not begin', () => {
  it('with a list that has no ids', async () => {
    const { from } = await stage.create(table, [], []);
    const directory = temporaryDirectory(onTestFinished);
    writeFileSync(join(directory, 'list.txt'), `${idOf(table, item(1))}\nid,name\n`);

    const ended = await start(directory, [table.id, '--from', from, '--except', 'list.txt']).exit();

    const stderr = `error: Line 2 of list.txt has no id of ${table.id}.\n`;
    expect(ended).toStrictEqual({ exitCode: 1, stdout: '', stderr });
  });

  it('with a list without versions', () => {
    const id = idOf(table, item(1));
    const list = join(temporaryDirectory(onTestFinished), 'list.txt');
    writeFileSync(list, `${id}\n`);

    expect(() => readVersions(table, list)).toThrow(`list.txt has no version of ${id}: pass lines of`);
  });

  it('from a table that is not there', async () => {
    const { from } = await stage.create(table, [], []);

    const ended = await start('.', [table.id, '--from', `${from}x`]).exit();

    const message = /^error: Requested resource not found: Table: \S+x not found\n$/;
    expect(ended).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(message) });
  });

  it.each([
    ['the table itself', ({ name }: Created) => name, /^\S+ is the stage's own table: pass a copy\.$/],
    ['a table with another key', ({ other }: Created) => other, /^\S+ has the key name S, but \S+ has /],
    [
      'a copy of another stage',
      ({ from }: Created) => from.replace('staging', 'production'),
      /^PetStore-production-\S+ is no copy of this table: the name of a copy begins with PetStore-staging-/,
    ],
    [
      'a copy of another table',
      ({ from }: Created) => from.replace(`-${table.id}-`, '-others-'),
      /^\S+-others-\S+ is no copy of this table: /,
    ],
  ])('from %s', async (_title, nameOf, message) => {
    const named = { ...table, key: { partition: 'name' }, keyTypes: { name: 'S' } as const, indexes: {} };
    const { from: other } = await stage.create(named, [], []);
    const { name, from, open } = await stage.create(table, [], []);

    await expect(open(nameOf({ name, from, other }))).rejects.toThrow(message);
  });

  it.each(['--overwrite', '--only'])('with %s for keys', async (option) => {
    const ended = await start('.', [apiKeyTable.id, '--from', 'any', option, 'any']).exit();

    expect(ended.stderr).toBe(
      'error: Keys are only added, never overwritten: choose with --except which are not.\n',
    );
  });
});

interface Created {
  readonly name: string;
  readonly from: string;
  readonly other: string;
}

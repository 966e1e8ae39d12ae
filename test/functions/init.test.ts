import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, it, vi } from 'vitest';
import { examplePet } from '../../shared/contract/operations.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { type Key, type TableDefinition, tables } from '../../shared/tables/table-definitions.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { dynamodb } from '../support/functions/stored-items.ts';

const log = captureLog();
const functions = readdirSync('functions').map((file) => file.replace(/\.ts$/, ''));
const definitions: readonly TableDefinition[] = Object.values(tables);

/** The text of each call during init. */
const calls = functions.map((name) => {
  const source = readFileSync(`functions/${name}.ts`, 'utf8');
  return source.split('warmUp(').at(-1) ?? '';
});

/** The keys that such a call could have: those in its text, and others that are likely. */
const numbers = calls.flatMap((call) => call.match(/\b\d+(?=n?\b)/g) ?? []).map(BigInt);
const texts = calls.flatMap((call) => [...call.matchAll(/'([^']+)'/g)].map(([, text = '']) => text));
const guesses = {
  N: new Set([0n, 1n, examplePet.id, ...numbers]),
  S: new Set(['none', '0', '1', ...texts]),
};

/** Returns every value of a key whose attributes are guesses. */
const keysLike = (key: Key) =>
  Object.entries(key).reduce<Record<string, string | bigint>[]>(
    (items, [name, type]) =>
      items.flatMap((item) => [...guesses[type]].map((value) => ({ ...item, [name]: value }))),
    [{}],
  );

const readTables = () =>
  Promise.all(
    definitions.map(async ({ nameVariable }) => {
      const TableName = environmentVariable(nameVariable);
      const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
      return new Set(Items);
    }),
  );

beforeAll(async () => {
  for (const definition of definitions) {
    const TableName = environmentVariable(definition.nameVariable);
    for (const key of keysLike(definition.key)) {
      const Item = { ...examplePet, digest: new Uint8Array(32), ...key };
      await dynamodb.send(new PutCommand({ TableName, Item }));
    }
  }
});

it.each(functions)('init of %s makes one call that DynamoDB accepts, without effect', async (name) => {
  const before = await readTables();
  const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
  vi.resetModules();

  await import(`../../functions/${name}.ts`);

  expect(send, `End functions/${name}.ts with a warmUp.`).toHaveBeenCalledOnce();
  // On a busy machine, init does not wait for its call.
  await Promise.allSettled(send.mock.results.map(({ value }) => value));
  await setImmediate();
  // Some of the items are not what the call reads.
  const isOther = (line: string) => !line.includes('A stored item is damaged.');
  expect(log.warnings().filter(isOther)).toEqual([]);
  expect(await readTables(), `The warmUp of functions/${name}.ts changes a table.`).toEqual(before);
});

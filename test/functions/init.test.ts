import { setImmediate } from 'node:timers/promises';
import { DynamoDBDocumentClient, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { environmentVariable } from '../../shared/lambda/init.ts';
import { operations, tables } from '../../shared/service.ts';
import { namesOf, type TableDefinition } from '../../shared/tables/table.ts';
import { handlerOf } from '../support/contract/own-operations.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { dynamodb } from '../support/functions/stored-items.ts';

const log = captureLog();
const handlers = [...Object.values(operations).map(handlerOf), 'functions/authorizer.ts'];
const definitions: readonly TableDefinition[] = tables;

const readTables = () =>
  Promise.all(
    definitions.map(async ({ nameVariable }) => {
      const TableName = environmentVariable(nameVariable);
      const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
      return new Set(Items);
    }),
  );

const Attributes = v.optional(v.record(v.string(), v.unknown()));
const CallInput = v.object({ TableName: v.optional(v.string()), Key: Attributes, Item: Attributes });
type CallInput = v.InferOutput<typeof CallInput>;

/** Runs the init of a handler, and returns the input of its only call. */
async function callOfInit(file: string): Promise<CallInput> {
  using send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
  vi.resetModules();

  const module = `../../${file}`;
  await import(module);

  expect(send, `End ${file} with a warmUp.`).toHaveBeenCalledOnce();
  // On a busy machine, init does not wait for its call.
  await Promise.allSettled(send.mock.results.map(({ value }) => value));
  await setImmediate();
  return v.parse(CallInput, send.mock.calls[0]?.[0].input);
}

/** Stores an item with the key of a call, if the call has one. */
async function storeItemOf({ TableName, Key, Item }: CallInput): Promise<void> {
  const found = Key ?? Item;
  const definition = definitions.find(({ nameVariable }) => environmentVariable(nameVariable) === TableName);
  if (!found || !definition) return;
  const key = Object.fromEntries(namesOf(definition.key).map((attribute) => [attribute, found[attribute]]));
  await dynamodb.send(new PutCommand({ TableName, Item: { digest: new Uint8Array(32), ...key } }));
}

it.each(handlers)('init of %s makes one call that DynamoDB accepts, without effect', async (file) => {
  await storeItemOf(await callOfInit(file));
  const before = await readTables();

  await callOfInit(file);

  // The item need not be what the call reads.
  const isOther = (line: string) => !line.includes('A stored item is damaged.');
  expect(log.warnings().filter(isOther)).toEqual([]);
  expect(await readTables(), `The warmUp of ${file} changes a table.`).toEqual(before);
});

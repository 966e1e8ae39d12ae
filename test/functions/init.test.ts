import { readdirSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, it, vi } from 'vitest';
import { captureLog } from '../support/functions/capture-log.ts';

const log = captureLog();
const functions = readdirSync('functions').map((file) => file.replace(/\.ts$/, ''));

it.each(functions)('init of %s makes one call that DynamoDB accepts', async (name) => {
  const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
  vi.resetModules();

  await import(`../../functions/${name}.ts`);

  expect(send, `End functions/${name}.ts with a warmUp.`).toHaveBeenCalledOnce();
  // On a busy machine, init does not wait for its call.
  await Promise.allSettled(send.mock.results.map(({ value }) => value));
  await setImmediate();
  expect(log.warnings()).toEqual([]);
});

import { readdirSync } from 'node:fs';
import { expect, inject, it } from 'vitest';
import { captureLog } from '../support/functions/capture-log.ts';
import { loadAt, respondAs, startStubDynamodb } from '../support/functions/stub-dynamodb.ts';

const log = captureLog();

const functions = readdirSync('functions').map((file) => file.replace(/\.ts$/, ''));

it.each(functions)('init of %s makes one call that DynamoDB accepts', async (name) => {
  const actions: string[] = [];
  await using dynamodb = await startStubDynamodb((call, response) => {
    actions.push(call.action);
    return respondAs(inject('dynamodbEndpoint'), call, response);
  });

  await loadAt(dynamodb.endpoint, () => import(`../../functions/${name}.ts`));

  expect(actions, `End functions/${name}.ts with a warmUp.`).toHaveLength(1);
  expect(log.warnings()).toEqual([]);
});

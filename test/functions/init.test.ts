import { expect, inject, it } from 'vitest';
import { captureLog } from '../support/functions/capture-log.ts';
import { loadAt, respondAs, startStubDynamodb } from '../support/functions/stub-dynamodb.ts';

const log = captureLog();

it.each([
  // The kind of page that clients ask for.
  ['list-pets', 'Query', { IndexName: 'byStatus', Limit: 2 }],
  ['create-pet', 'PutItem', {}],
  ['get-pet', 'GetItem', {}],
  ['authorizer', 'GetItem', {}],
])('init of %s makes one call, a %s, which DynamoDB accepts', async (name, action, input) => {
  const calls: unknown[] = [];
  await using dynamodb = await startStubDynamodb((call, response) => {
    calls.push({ action: call.action, input: JSON.parse(call.body) });
    return respondAs(inject('dynamodbEndpoint'), call, response);
  });

  await loadAt(dynamodb.endpoint, () => import(`../../functions/${name}.ts`));

  expect(calls).toMatchObject([{ action, input }]);
  expect(log.warnings()).toEqual([]);
});

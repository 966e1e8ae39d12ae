import { readdirSync } from 'node:fs';
import { afterAll, expect, inject, it, vi } from 'vitest';
import { captureLog } from '../support/functions/capture-log.ts';
import { loadAt, respondAs, startStubDynamodb } from '../support/functions/stub-dynamodb.ts';

const log = captureLog();
/** Open until the last test: on a busy machine, init does not wait for its call. */
const stubs = new AsyncDisposableStack();
afterAll(() => stubs.disposeAsync());

const functions = readdirSync('functions').map((file) => file.replace(/\.ts$/, ''));

it.each(functions)('init of %s makes one call that DynamoDB accepts', async (name) => {
  const actions: string[] = [];
  const dynamodb = await startStubDynamodb((call, response) => {
    actions.push(call.action);
    return respondAs(inject('dynamodbEndpoint'), call, response);
  });
  stubs.use(dynamodb);

  await loadAt(dynamodb.endpoint, () => import(`../../functions/${name}.ts`));

  const hint = `End functions/${name}.ts with a warmUp.`;
  await vi.waitFor(() => expect(actions, hint).toHaveLength(1), { timeout: 5000 });
  expect(log.warnings()).toEqual([]);
});

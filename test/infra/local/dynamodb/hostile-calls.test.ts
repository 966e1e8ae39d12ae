import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EmbeddedDynamodb } from '../../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { type HostileCall, hostileCalls } from '../../../support/faults/hostile-calls.ts';

const { FUZZ_SEED, FUZZ_REQUESTS } = process.env;
const seed = Number(FUZZ_SEED ?? 20_261_120);
const callCount = Number(FUZZ_REQUESTS ?? 500);

/** How many calls are under way at once. */
const batchSize = 20;

const dynamodb = new EmbeddedDynamodb();
vi.spyOn(console, 'error').mockReturnValue();
afterAll(() => dynamodb.close());

const authorization = 'AWS4-HMAC-SHA256 Credential=operator/20261120/us-east-1/dynamodb/aws4_request';

async function send({ operation, body }: HostileCall, signature = authorization) {
  const target = `DynamoDB_20120810.${operation}`;
  const response = await dynamodb.respond({ target, authorization: signature, body });
  return { status: response.status, output: JSON.parse(String(response.body)) };
}

const call = (operation: string, input: object) => send({ operation, body: JSON.stringify(input) });

const TableName = 'Pets';
const untouched = { id: { N: '7777' }, status: { S: 'pending' }, name: { S: 'Bella' } };
const idsOf = (items: readonly { id: { N: string } }[]) => items.map(({ id }) => id.N).toSorted();

/** Expects every item to be found, in the table as well as in the index, and each key that was fought over to be free. */
async function expectTablesToHold(): Promise<void> {
  for (const id of ['1', '12']) {
    const put = await call('PutItem', { TableName, Item: { id: { N: id }, status: { S: 'sold' } } });
    expect(put).toStrictEqual({ status: 200, output: {} });
  }
  const found = await call('GetItem', { TableName, Key: { id: untouched.id } });
  const table = await call('Scan', { TableName });
  const index = await call('Scan', { TableName, IndexName: 'byStatus' });

  expect(found.output).toStrictEqual({ Item: untouched });
  expect(table.status).toBe(200);
  expect(idsOf(index.output.Items)).toStrictEqual(
    idsOf(table.output.Items.filter((item: { status?: { S?: string } }) => item.status?.S !== undefined)),
  );
}

describe('the embedded DynamoDB', () => {
  beforeAll(async () => {
    const keyOf = (AttributeName: string, KeyType: string) => ({ AttributeName, KeyType });
    await call('CreateTable', {
      TableName,
      AttributeDefinitions: [
        { AttributeName: 'id', AttributeType: 'N' },
        { AttributeName: 'status', AttributeType: 'S' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [keyOf('id', 'HASH')],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byStatus',
          KeySchema: [keyOf('status', 'HASH'), keyOf('id', 'RANGE')],
          Projection: { ProjectionType: 'ALL' },
        },
      ],
    });
    await vi.waitFor(async () => {
      expect((await call('PutItem', { TableName, Item: untouched })).status).toBe(200);
    });
  });

  const half = '{"TableName":"Pets","Key":{"id":{"N":"1"}},';

  it.each([
    ['no text', 'ListTables', '', 400, 'SerializationException'],
    ['a list', 'ListTables', '[]', 400, 'SerializationException'],
    ['a table that is a number', 'ListTables', '{"TableName":1}', 400, 'SerializationException'],
    ['an unknown operation', 'constructor', '{}', 400, 'UnknownOperationException'],
    ['a null value', 'UpdateItem', `${half}"AttributeUpdates":{"a":null}}`, 400, 'SerializationException'],
    [
      'what fails only once the key is locked',
      'UpdateItem',
      `${half}"ConditionExpression":"id BETWEEN :v AND x","ExpressionAttributeValues":{":v":{"N":"0"}}}`,
      500,
      'InternalServerError',
    ],
    [
      'an item nested 1,000 deep',
      'PutItem',
      `{"TableName":"Pets","Item":{"id":{"N":"1"},"a":${'{"L":['.repeat(1000)}${']}'.repeat(1000)}}}`,
      400,
      'ValidationException',
    ],
  ])('responds to %s, and its tables hold', async (_title, operation, body, status, type) => {
    const response = await send({ operation, body });

    expect(response).toMatchObject({ status, output: { __type: expect.stringMatching(`#${type}$`) } });
    await expectTablesToHold();
  });

  it('wants to know who calls', async () => {
    const { status, output } = await send({ operation: 'ListTables', body: '{}' }, '');

    expect([status, output.__type]).toEqual([
      400,
      expect.stringMatching(/#MissingAuthenticationTokenException$/),
    ]);
  });

  it('responds to the calls under way before it closes', async () => {
    const closing = new EmbeddedDynamodb();
    const listed = closing.respond({ target: 'DynamoDB_20120810.ListTables', authorization, body: '{}' });

    await closing.close();

    expect((await listed).status).toBe(200);
  });

  it(`responds to ${callCount} hostile calls (seed ${seed}), and its tables hold`, {
    timeout: 15 * 60_000,
  }, async () => {
    const statuses = new Map<number, number>();
    for (let start = 0; start < callCount; start += batchSize) {
      const calls = hostileCalls(seed + start, Math.min(batchSize, callCount - start));
      for (const { status } of await Promise.all(calls.map((call) => send(call)))) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      await expectTablesToHold();
    }

    if (FUZZ_REQUESTS !== undefined) console.table(Object.fromEntries(statuses));
    expect(statuses.get(200)).toBeGreaterThan(callCount / 100);
    expect(statuses.get(500)).toBeGreaterThan(0);
  });
});

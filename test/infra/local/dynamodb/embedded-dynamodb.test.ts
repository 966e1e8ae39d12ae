import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  ListTablesCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { Level } from 'level';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTables } from '../../../../infra/local/dynamodb/create-tables.ts';
import { arn, operatorAt } from '../../../../infra/local/template/account.ts';
import type { Statement } from '../../../../infra/local/template/policy.ts';
import { stubTable } from '../../../support/infra/stub-deployment.ts';
import { startDynamodb } from '../../../support/setup/start-dynamodb.ts';

const TableName = stubTable.id;
const Item = { id: { N: '12' }, status: { S: 'sold' } };
const Key = { id: Item.id };
const soldPets = new QueryCommand({
  TableName,
  IndexName: 'byStatus',
  KeyConditionExpression: '#status = :sold',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':sold': Item.status },
});

const allow = (action: string, resource: string): Statement => ({
  Effect: 'Allow',
  Action: [`dynamodb:${action}`],
  Resource: [arn('dynamodb', `table/${resource}`)],
});
const roles = new Map([
  ['reader', [allow('GetItem', 'Pets'), allow('Query', 'Pets')]],
  ['lister', [allow('Query', 'Pets/index/byStatus')]],
]);

const dynamodb = await startDynamodb((role) => roles.get(role));
const as = (accessKeyId: string) =>
  new DynamoDBClient({
    ...operatorAt(dynamodb.endpoint),
    credentials: { accessKeyId, secretAccessKey: 'none' },
  });
const operator = as('operator');
const reader = as('reader');
const lister = as('lister');

await createTables(operator, [stubTable]);
await operator.send(new PutItemCommand({ TableName, Item }));

const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());
afterAll(async () => {
  logged.mockRestore();
  for (const client of [operator, reader, lister]) client.destroy();
  await dynamodb.close();
});

describe('the embedded DynamoDB', () => {
  it('lets a role do what its policies allow, denies anything else, and logs that', async () => {
    const message =
      'User: arn:aws:sts::123456789012:assumed-role/reader is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/Pets';

    const found = await reader.send(new GetItemCommand({ TableName, Key }));
    const put = reader.send(new PutItemCommand({ TableName, Item }));

    expect(found.Item).toEqual(Item);
    await expect(put).rejects.toMatchObject({ name: 'AccessDeniedException', message });
    expect(logged).toHaveBeenCalledExactlyOnceWith(message);
  });

  it('lets a role query an index only by a permission for the index', async () => {
    const { Items } = await lister.send(soldPets);
    const denied = reader.send(soldPets);

    expect(Items).toEqual([Item]);
    await expect(denied).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(/dynamodb:Query on resource: \S+:table\/Pets\/index\/byStatus$/),
    });
  });

  it('denies a role an action that names no table, or may name several', async () => {
    const RequestItems = { [TableName]: { Keys: [Key] } };

    const listed = reader.send(new ListTablesCommand());
    const got = reader.send(new BatchGetItemCommand({ RequestItems }));

    await expect(listed).rejects.toMatchObject({ name: 'AccessDeniedException' });
    await expect(got).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it.each([
    ['ALL_OLD', Item],
    ['NONE', undefined],
  ] as const)('gives the item in the way of a write that asks for %s: %o', async (returned, expected) => {
    const put = operator.send(
      new PutItemCommand({
        TableName,
        Item: Key,
        ConditionExpression: 'attribute_not_exists(id)',
        ReturnValuesOnConditionCheckFailure: returned,
      }),
    );

    const failure = await put.catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(Object(failure).Item).toEqual(expected);
  });

  it('ends the calls under way before its tables when it is closed, and lets go of the directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'pet-store-closed-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const closing = await startDynamodb(() => undefined, directory);
    const client = new DynamoDBClient({ ...operatorAt(closing.endpoint), maxAttempts: 1 });
    await createTables(client, [stubTable]);
    const calls = Array.from({ length: 40 }, () => client.send(new GetItemCommand({ TableName, Key })));
    const settled = Promise.allSettled(calls);
    await Promise.race(calls);

    await closing.close();
    const tables = new Level(directory);
    await tables.open();

    expect(tables.status).toBe('open');
    await tables.close();
    await settled;
    client.destroy();
  });
});

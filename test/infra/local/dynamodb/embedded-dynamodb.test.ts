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
  type QueryCommandInput,
} from '@aws-sdk/client-dynamodb';
import { Level } from 'level';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTables } from '../../../../infra/local/dynamodb/create-tables.ts';
import { account, arn, operatorAt } from '../../../../infra/local/template/account.ts';
import type { Statement } from '../../../../infra/local/template/policy.ts';
import type { Resource } from '../../../../infra/local/template/read-template.ts';
import { startDynamodb } from '../../../support/setup/start-dynamodb.ts';

const pets: Resource<'AWS::DynamoDB::GlobalTable'> = {
  id: 'Pets',
  arn: arn('dynamodb', 'table/Pets'),
  properties: {
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'N' },
      { AttributeName: 'status', AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byStatus',
        KeySchema: [
          { AttributeName: 'status', KeyType: 'HASH' },
          { AttributeName: 'id', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['name'] },
      },
    ],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  },
};
const TableName = pets.id;
const Item = { id: { N: '12' }, status: { S: 'sold' } };
const keyOfPet = { id: Item.id };
const soldPets: QueryCommandInput = {
  TableName,
  IndexName: 'byStatus',
  KeyConditionExpression: '#status = :sold',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':sold': { S: 'sold' } },
};

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
const as = (role: string) =>
  new DynamoDBClient({
    endpoint: dynamodb.endpoint,
    region: account.region,
    credentials: { accessKeyId: role, secretAccessKey: 'none' },
  });
const operator = as('operator');
const reader = as('reader');
const lister = as('lister');

await createTables(operator, [pets]);
await operator.send(new PutItemCommand({ TableName, Item }));

afterAll(async () => {
  for (const client of [operator, reader, lister]) client.destroy();
  await dynamodb.close();
});

describe('the embedded DynamoDB', () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  afterEach(() => logged.mockClear());

  it('lets a role do what its policies allow', async () => {
    const found = await reader.send(new GetItemCommand({ TableName, Key: keyOfPet }));

    expect(found.Item).toEqual(Item);
    expect(logged).not.toHaveBeenCalled();
  });

  it('denies a role what its policies do not allow, and logs it', async () => {
    const message =
      'User: arn:aws:sts::123456789012:assumed-role/reader is not authorized to perform: dynamodb:PutItem on resource: arn:aws:dynamodb:us-east-1:123456789012:table/Pets';

    const put = reader.send(new PutItemCommand({ TableName, Item }));

    await expect(put).rejects.toMatchObject({ name: 'AccessDeniedException', message });
    expect(logged).toHaveBeenCalledExactlyOnceWith(message);
  });

  it('lets a role query an index only by a permission for the index', async () => {
    const { Items } = await lister.send(new QueryCommand(soldPets));
    const denied = reader.send(new QueryCommand(soldPets));

    expect(Items).toEqual([Item]);
    await expect(denied).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: expect.stringMatching(/dynamodb:Query on resource: \S+:table\/Pets\/index\/byStatus$/),
    });
  });

  it.each([
    ['names no table', () => reader.send(new ListTablesCommand())],
    [
      'may name several tables',
      () => reader.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [keyOfPet] } } })),
    ],
  ])('denies a role an action that %s', async (_title, call) => {
    await expect(call()).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });

  it.each([
    ['ALL_OLD', Item],
    ['NONE', undefined],
  ] as const)('gives the item in the way of a write that asks for %s: %o', async (returned, expected) => {
    const put = operator.send(
      new PutItemCommand({
        TableName,
        Item: keyOfPet,
        ConditionExpression: 'attribute_not_exists(id)',
        ReturnValuesOnConditionCheckFailure: returned,
      }),
    );

    const failure = await put.catch((error: unknown) => error);

    expect(failure).toMatchObject({ name: 'ConditionalCheckFailedException' });
    expect(Object(failure).Item).toEqual(expected);
  });

  it('keeps tables that are there already', async () => {
    await createTables(operator, [pets]);

    const { Items } = await lister.send(new QueryCommand(soldPets));

    expect(Items).toEqual([Item]);
  });
});

describe('an embedded DynamoDB that is closed', () => {
  it('ends the calls under way before its tables, and lets go of the directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'pet-store-closed-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    const closing = await startDynamodb(() => undefined, directory);
    const client = new DynamoDBClient({ ...operatorAt(closing.endpoint), maxAttempts: 1 });
    await createTables(client, [pets]);
    const calls = Array.from({ length: 40 }, () =>
      client.send(new GetItemCommand({ TableName, Key: keyOfPet })),
    );
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

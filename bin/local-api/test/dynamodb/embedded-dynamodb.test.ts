import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { declaredTable, notesTable } from '../../../../test/support/dynamodb/declared-table.ts';
import { dynaliteTables } from '../../dynamodb/dynalite-tables.ts';
import { embeddedDynamodb } from '../../dynamodb/embedded-dynamodb.ts';
import { arn } from '../../template/account.ts';
import type { Deployment } from '../../template/deployment.ts';
import { httpRequest } from '../support/received-request.ts';

const mayRead = {
  Effect: 'Allow' as const,
  Action: ['dynamodb:GetItem', 'dynamodb:Query', 'dynamodb:BatchGetItem'],
  Resource: [arn('dynamodb', 'table/Notes')],
};
const tables = dynaliteTables();
const roles = new Map([['reader', [mayRead]]]);
/** Replaced by each test that deploys. */
let declared: Pick<Deployment, 'roles' | 'tables'> = { roles, tables: [notesTable()] };
const dynamodb = embeddedDynamodb(tables, { deployment: () => declared });
const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());

async function call(operation: string, input: object | string, accessKeyId = 'operator') {
  const headers = {
    'x-amz-target': [`DynamoDB_20120810.${operation}`],
    authorization: [`AWS4-HMAC-SHA256 Credential=${accessKeyId}/20261120/us-east-1/dynamodb/aws4_request`],
  };
  const body = Buffer.from(typeof input === 'string' ? input : JSON.stringify(input));
  const response = await dynamodb(httpRequest({ headers, body }));
  return { status: response.status, output: JSON.parse(String(response.body)) };
}

const TableName = 'Notes';
const Key = { id: { N: '1' } };
const done = { ...Key, status: { S: 'done' } };

/** A table with an index whose sort key is a text. */
const visits = declaredTable('Visits', { id: 'N', day: 'S' }, ['id'], { 'by-day': ['id', 'day'] });

beforeAll(async () => {
  await tables.declare([notesTable(), visits]);
  await call('PutItem', { TableName, Item: done });
});

describe('the embedded DynamoDB', () => {
  const condition = 'id BETWEEN :v AND x';
  const values = { TableName, ExpressionAttributeValues: { ':v': { N: '0' } } };
  const failingCall = { ...values, Key, ConditionExpression: condition };
  const failingScan = { ...values, FilterExpression: condition };
  const deep = `{"TableName":"Notes","Item":{"id":{"N":"1"},"a":${'{"L":['.repeat(1e5)}${']}'.repeat(1e5)}}}`;

  it.each<[title: string, operation: string, input: object | string, status: number, type: string]>([
    ['no text', 'ListTables', '', 400, 'SerializationException'],
    ['a list', 'ListTables', [], 400, 'SerializationException'],
    ['a table that is a number', 'ListTables', { TableName: 1 }, 400, 'SerializationException'],
    ['an unknown operation', 'constructor', {}, 400, 'UnknownOperationException'],
    ['null', 'UpdateItem', { TableName, Key, AttributeUpdates: { a: null } }, 400, 'SerializationException'],
    ['an item nested 100,000 deep', 'PutItem', deep, 400, 'SerializationException'],
    ['a condition that fails in a callback', 'UpdateItem', failingCall, 500, 'InternalServerError'],
    ['a filter that fails in a stream', 'Scan', failingScan, 500, 'InternalServerError'],
  ])('responds to %s', async (_title, operation, input, status, type) => {
    const response = await call(operation, input);

    expect(response).toMatchObject({ status, output: { __type: expect.stringMatching(`#${type}$`) } });
  });

  it.each([
    ['FilterExpression', 'Scan', { TableName }],
    ['ConditionExpression', 'PutItem', { TableName, Item: done }],
  ])('names what it does not support of AWS: deep parentheses in %s', async (field, operation, input) => {
    const expression = `${'('.repeat(24)}id = id${')'.repeat(24)}`;

    const { status, output } = await call(operation, { ...input, [field]: expression });

    expect({ status, message: output.message }).toStrictEqual({
      status: 400,
      message: `The local API supports at most 6 nested parentheses in ${field}.`,
    });
  });

  it('evaluates six nested parentheses', async () => {
    const FilterExpression = `${'(NOT '.repeat(5)}attribute_exists(id)${')'.repeat(5)}`;

    expect(await call('Scan', { TableName, FilterExpression })).toMatchObject({ status: 200 });
  });

  it.each<[operation: string, write: object]>([
    ['PutItem', { Item: done }],
    ['UpdateItem', { Key, UpdateExpression: 'SET age = :v' }],
    ['DeleteItem', { Key }],
  ])('returns the item that fails the condition of %s, on request', async (operation, write) => {
    const failing = {
      ...write,
      ...values,
      ConditionExpression: 'id < :v',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    };

    const { output } = await call(operation, failing);

    expect(output).toMatchObject({
      __type: expect.stringMatching(/#ConditionalCheckFailedException$/),
      Item: done,
    });
  });

  const nameless = { status: { S: '' } };
  it.each<[operation: string, write: object]>([
    ['PutItem', { TableName, Item: { ...Key, ...nameless } }],
    ['UpdateItem', { TableName, Key, AttributeUpdates: { status: { Value: nameless.status } } }],
  ])('rejects an empty string as an index key in %s', async (operation, write) => {
    const { output } = await call(operation, write);

    expect(output).toStrictEqual({
      __type: 'com.amazon.coral.validate#ValidationException',
      message:
        'One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: by-status, IndexKey: status',
    });
    expect(await call('GetItem', { TableName, Key })).toMatchObject({ output: { Item: done } });
  });

  it.each([
    ['Notes', 'status', 'a', 2048, 200],
    ['Notes', 'status', 'a', 2049, 400],
    ['Notes', 'status', 'é', 1024, 200],
    ['Notes', 'status', 'é', 1025, 400],
    ['Visits', 'day', 'a', 1024, 200],
    ['Visits', 'day', 'a', 1025, 400],
  ])(
    'counts the bytes of an index key: %s, %s %s × %i → %i',
    async (table, name, character, count, expected) => {
      const item = { id: { N: '2' }, [name]: { S: character.repeat(count) } };

      const { status } = await call('PutItem', { TableName: table, Item: item });

      expect(status).toBe(expected);
    },
  );

  it('rejects an index key that is too long', async () => {
    const item = { ...Key, status: { S: 'a'.repeat(2049) } };

    const { output } = await call('PutItem', { TableName, Item: item });

    expect(output).toStrictEqual({
      __type: 'com.amazon.coral.validate#ValidationException',
      message:
        'One or more parameter values were invalid: Size limit exceeded for Index Key status Actual Size: 2049 bytes Max Size: 2048 bytes IndexName: by-status',
    });
    expect(await call('GetItem', { TableName, Key })).toMatchObject({ output: { Item: done } });
  });

  it('leaves no key locked by a call that failed in a callback', async () => {
    const failed = await call('UpdateItem', failingCall);

    const { status } = await call('PutItem', { TableName, Item: done });

    expect([failed.status, status]).toStrictEqual([500, 200]);
  });
});

const whereToAllow = 'The stack does not allow reader to call';
const noOrders = "The stack declares no table Orders: reader can't call";

it.each<[action: string, input: object, resource: string, hint: string, role?: string]>([
  ['PutItem', { TableName }, 'table/Notes', `${whereToAllow} dynamodb:PutItem on table/Notes.`],
  [
    'Query',
    { TableName, IndexName: 'by-status' },
    'table/Notes/index/by-status',
    `${whereToAllow} dynamodb:Query on table/Notes/index/by-status.`,
  ],
  [
    'Query',
    { TableName, IndexName: 'by-name' },
    'table/Notes/index/by-name',
    "The stack declares no index by-name of the table Notes: reader can't call dynamodb:Query there.",
  ],
  ['GetItem', { TableName: 'Orders' }, 'table/Orders', `${noOrders} dynamodb:GetItem there.`],
  [
    'BatchGetItem',
    { RequestItems: { Notes: {}, Orders: {} } },
    'table/Orders',
    `${noOrders} dynamodb:BatchGetItem there.`,
  ],
  [
    'BatchWriteItem',
    { RequestItems: { Notes: [] } },
    'table/Notes',
    `${whereToAllow} dynamodb:BatchWriteItem on table/Notes.`,
  ],
  ['TransactWriteItems', { TransactItems: [] }, '*', `${whereToAllow} dynamodb:TransactWriteItems on *.`],
  ['ListTables', {}, '*', `${whereToAllow} dynamodb:ListTables on *.`],
  // What is left of `TableName: undefined`.
  ['GetItem', { Key }, '*', 'The call dynamodb:GetItem of reader names no table.'],
  ['BatchGetItem', {}, '*', 'The call dynamodb:BatchGetItem of reader names no table.'],
  ['Query', { IndexName: 'by-status' }, '*', 'The call dynamodb:Query of reader names no table.'],
  // Such as that of a function of the last deployment.
  [
    'GetItem',
    { TableName },
    'table/Notes',
    "The stack declares no role renamed: it can't call dynamodb:GetItem.",
    'renamed',
  ],
])('a policy forbids a role to call %s on %j', async (action, input, resource, hint, role = 'reader') => {
  const responses = [await call(action, input, `role:${role}`), await call(action, input, `role:${role}`)];

  const place = resource === '*' ? '*' : `arn:aws:dynamodb:us-east-1:123456789012:${resource}`;
  const message = `User: arn:aws:sts::123456789012:assumed-role/${role} is not authorized to perform: dynamodb:${action} on resource: ${place}`;
  const output = { __type: 'com.amazon.coral.service#AccessDeniedException', message };
  expect(responses).toEqual(responses.map(() => ({ status: 400, output })));
  // Once, although the function repeats its call.
  expect(logged).toHaveBeenCalledExactlyOnceWith(hint);
});

it('repeats after a deployment what a policy still forbids', async () => {
  const denied = () => call('DeleteItem', { TableName, Key }, 'role:reader');
  await denied();
  logged.mockClear();

  declared = { roles, tables: [notesTable()] };
  await denied();
  await denied();

  expect(logged).toHaveBeenCalledExactlyOnceWith(`${whereToAllow} dynamodb:DeleteItem on table/Notes.`);
});

it('says that the stack no longer declares an index, although the kept table has it', async () => {
  declared = { roles, tables: [notesTable('name')] };

  const { status } = await call('Query', { TableName, IndexName: 'by-status' }, 'role:reader');

  expect(status).toBe(400);
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    "The stack declares no index by-status of the table Notes: reader can't call dynamodb:Query there.",
  );
});

it('a policy allows a role to call BatchGetItem on the tables that it names', async () => {
  const response = await call('BatchGetItem', { RequestItems: { Notes: { Keys: [Key] } } }, 'role:reader');

  expect(response).toMatchObject({ status: 200, output: { Responses: { Notes: [{ id: { N: '1' } }] } } });
});

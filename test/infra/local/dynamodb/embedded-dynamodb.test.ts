import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { openTables } from '../../../../infra/local/dynamodb/data-directory.ts';
import { embeddedDynamodb } from '../../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { arn } from '../../../../infra/local/template/account.ts';
import { petsTable } from '../../../support/dynamodb/pets-table.ts';
import { httpRequest } from '../../../support/infra/http-request.ts';

const tables = await openTables();
const allow = (action: string, resource: string) => ({
  Effect: 'Allow' as const,
  Action: [`dynamodb:${action}`],
  Resource: [arn('dynamodb', `table/${resource}`)],
});
const roles = new Map([
  ['reader', [allow('GetItem', 'Pets'), allow('Query', 'Pets')]],
  ['lister', [allow('Scan', 'Pets/index/by-status')]],
]);
const dynamodb = embeddedDynamodb(tables, { statementsOf: (role) => roles.get(role) });
const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());
afterAll(() => tables.close());

async function send(operation: string, body: string, role = 'operator') {
  const headers = {
    'x-amz-target': [`DynamoDB_20120810.${operation}`],
    authorization: [`AWS4-HMAC-SHA256 Credential=${role}/20261120/us-east-1/dynamodb/aws4_request`],
  };
  const response = await dynamodb(httpRequest({ headers, body: Buffer.from(body) }));
  return { status: response.status, output: JSON.parse(String(response.body)) };
}

const call = (operation: string, input: object, role?: string) =>
  send(operation, JSON.stringify(input), role);

const TableName = 'Pets';
const id = { N: '1' };
const sold = { id, status: { S: 'sold' } };
const isNotThere = 'attribute_not_exists(id)';

describe('the embedded DynamoDB', () => {
  beforeAll(async () => {
    await tables.declare([petsTable()]);
    await call('PutItem', { TableName, Item: sold });
  });

  const half = '{"TableName":"Pets","Key":{"id":{"N":"1"}},';
  const failingCall = `${half}"ConditionExpression":"id BETWEEN :v AND x","ExpressionAttributeValues":{":v":{"N":"0"}}}`;

  it.each([
    ['no text', 'ListTables', '', 400, 'SerializationException'],
    ['a list', 'ListTables', '[]', 400, 'SerializationException'],
    ['a table that is a number', 'ListTables', '{"TableName":1}', 400, 'SerializationException'],
    ['an unknown operation', 'constructor', '{}', 400, 'UnknownOperationException'],
    ['a null value', 'UpdateItem', `${half}"AttributeUpdates":{"a":null}}`, 400, 'SerializationException'],
    ['a condition that fails in a callback', 'UpdateItem', failingCall, 500, 'InternalServerError'],
    [
      'an item nested 100,000 deep',
      'PutItem',
      `{"TableName":"Pets","Item":{"id":{"N":"1"},"a":${'{"L":['.repeat(1e5)}${']}'.repeat(1e5)}}}`,
      400,
      'SerializationException',
    ],
  ])('responds to %s', async (_title, operation, body, status, type) => {
    const response = await send(operation, body);

    expect(response).toMatchObject({ status, output: { __type: expect.stringMatching(`#${type}$`) } });
  });

  it('leaves no key locked by a call that failed in a callback', async () => {
    const failed = await send('UpdateItem', failingCall);

    const { status } = await call('PutItem', { TableName, Item: sold });

    expect([failed.status, status]).toStrictEqual([500, 200]);
  });

  it('returns the existing item if a condition fails', async () => {
    const input = { TableName, Item: { id }, ConditionExpression: isNotThere };

    const { output } = await call('PutItem', { ...input, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });

    expect(output.Item).toStrictEqual(sold);
  });

  it('responds to the calls in progress before it closes', async () => {
    const closing = await openTables();
    const listed = closing.call('ListTables', {});

    await closing.close();

    expect(await listed).toStrictEqual({ TableNames: [] });
  });
});

const Key = { id };
const byStatus = { TableName, IndexName: 'by-status' };

describe('the policies of a role', () => {
  it.each([
    ['reader', 'GetItem', { TableName, Key }],
    ['lister', 'Scan', byStatus],
  ])('allow %s to call %s on %j', async (role, action, input) => {
    expect(await call(action, input, role)).toMatchObject({ status: 200 });
    expect(logged).not.toHaveBeenCalled();
  });

  it.each([
    ['reader', 'PutItem', { TableName }, 'arn:aws:dynamodb:us-east-1:123456789012:table/Pets'],
    ['reader', 'Query', byStatus, 'arn:aws:dynamodb:us-east-1:123456789012:table/Pets/index/by-status'],
    ['reader', 'BatchGetItem', { RequestItems: { Pets: {} } }, '*'],
  ])('deny %s a call of %s on %j', async (role, action, input, resource) => {
    const message = `User: arn:aws:sts::123456789012:assumed-role/${role} is not authorized to perform: dynamodb:${action} on resource: ${resource}`;

    expect(await call(action, input, role)).toEqual({
      status: 400,
      output: { __type: 'com.amazon.coral.service#AccessDeniedException', message },
    });
    expect(logged).toHaveBeenCalledExactlyOnceWith(message);
  });
});

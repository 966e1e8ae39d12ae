import { afterEach, describe, expect, it, vi } from 'vitest';
import { withPolicies } from '../../../../infra/local/dynamodb/with-policies.ts';
import { arn } from '../../../../infra/local/template/account.ts';

const allow = (action: string, resource: string) => ({
  Effect: 'Allow' as const,
  Action: [`dynamodb:${action}`],
  Resource: [arn('dynamodb', `table/${resource}`)],
});
const roles = new Map([
  ['reader', [allow('GetItem', 'Pets'), allow('Query', 'Pets')]],
  ['lister', [allow('Query', 'Pets/index/byStatus')]],
]);
const done = { status: 200, headers: {}, body: '{}' };
const dynamodb = withPolicies({ respond: async () => done }, (role) => roles.get(role));

const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());

const call = (role: string, action: string, input: object) =>
  dynamodb.respond({
    target: `DynamoDB_20120810.${action}`,
    authorization: `AWS4-HMAC-SHA256 Credential=${role}/20261120/us-east-1/dynamodb/aws4_request`,
    body: JSON.stringify(input),
  });

const Pets = { TableName: 'Pets' };
const byStatus = { TableName: 'Pets', IndexName: 'byStatus' };

describe('a DynamoDB with policies', () => {
  it.each([
    ['reader', 'GetItem', Pets],
    ['lister', 'Query', byStatus],
    ['operator', 'ListTables', {}],
  ])('lets %s call %s on %j', async (role, action, input) => {
    expect(await call(role, action, input)).toBe(done);
    expect(logged).not.toHaveBeenCalled();
  });

  it.each([
    ['reader', 'PutItem', Pets, 'arn:aws:dynamodb:us-east-1:123456789012:table/Pets'],
    ['reader', 'Query', byStatus, 'arn:aws:dynamodb:us-east-1:123456789012:table/Pets/index/byStatus'],
    ['reader', 'GetItem', { TableName: 1 }, '*'],
    ['reader', 'BatchGetItem', { RequestItems: { Pets: {} } }, '*'],
  ])('denies %s to call %s on %j, and logs it', async (role, action, input, resource) => {
    const message = `User: arn:aws:sts::123456789012:assumed-role/${role} is not authorized to perform: dynamodb:${action} on resource: ${resource}`;

    const { status, body } = await call(role, action, input);

    expect(status).toBe(400);
    expect(JSON.parse(String(body))).toEqual({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      message,
    });
    expect(logged).toHaveBeenCalledExactlyOnceWith(message);
  });
});

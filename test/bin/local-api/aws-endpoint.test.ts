import { beforeEach, expect, it, vi } from 'vitest';
import { createAwsEndpoint } from '../../../bin/local-api/aws-endpoint.ts';
import { httpRequest } from '../../support/local-api/received-request.ts';

const dynamodb = vi.fn();
beforeEach(() => dynamodb.mockClear());
const endpoint = createAwsEndpoint({ name: 'pets', outputs: {} }, dynamodb);

// The tests of the operators' commands call it through the SDK.
it('the AWS endpoint names an action that it does not support', async () => {
  const request = { headers: { authorization: ['AWS4-'] }, body: Buffer.from('Action=a%26<b>') };

  const message = expect.stringContaining('>The local API does not support a&amp;&lt;b>.<');
  expect(await endpoint(httpRequest(request))).toMatchObject({ status: 400, body: message });
});

it('the AWS endpoint rejects an unsigned call, such as a page could send', async () => {
  const headers = { 'x-amz-target': ['DynamoDB_20120810.ListTables'], authorization: ['Bearer x'] };

  const response = await endpoint(httpRequest({ headers }));

  expect(response).toMatchObject({
    status: 403,
    body: expect.stringContaining('MissingAuthenticationToken'),
  });
  expect(dynamodb).not.toHaveBeenCalled();
});

it('the AWS endpoint reads no call above 1 MiB, which would keep it busy', async () => {
  const signed = { 'x-amz-target': ['DynamoDB_20120810.PutItem'], authorization: ['AWS4-'] };
  const send = (bytes: number) => endpoint(httpRequest({ headers: signed, body: Buffer.alloc(bytes) }));

  await send(1_048_576);
  const response = await send(1_048_577);

  expect(response).toMatchObject({ status: 413, body: expect.stringContaining('of at most 1 MiB') });
  expect(dynamodb).toHaveBeenCalledOnce();
});

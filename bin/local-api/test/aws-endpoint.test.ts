import { beforeEach, expect, it, vi } from 'vitest';
import { createAwsEndpoint } from '../aws-endpoint.ts';
import { httpRequest } from './support/received-request.ts';

const dynamodb = vi.fn();
beforeEach(() => dynamodb.mockClear());
const endpoint = createAwsEndpoint({
  stack: () => ({ name: 'pets', outputs: {} }),
  dynamodb,
  sourceOf: (role) => (role === 'creator' ? 'functions/create.ts' : undefined),
});

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

const signedBy = (accessKeyId: string, service: string) => [
  `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20261128/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=0`,
];

it.each([
  ['SQS', 'SendMessage', 'sqs', { 'x-amz-target': ['AmazonSQS.SendMessage'] }, {}],
  ['SNS', 'Publish', 'sns', {}, { body: Buffer.from('Message=a&Action=Publish&Version=1') }],
  ['S3', 'PUT /_aws/bucket/key', 's3', {}, { method: 'PUT', path: '/_aws/bucket/key' }],
  ['events', 'PutEvents', 'events', { 'x-amz-target': ['AWSEvents.PutEvents'] }, {}],
  [
    'DynamoDBStreams_20120810',
    'ListStreams',
    'dynamodb',
    { 'x-amz-target': ['DynamoDBStreams_20120810.ListStreams'] },
    {},
  ],
])(
  'the AWS endpoint names a service that is not emulated, with the caller: %s %s',
  async (named, action, service, target, rest) => {
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    const headers = { authorization: signedBy('role:creator', service), ...target };

    const request = httpRequest({ headers, ...rest });
    const responses = [await endpoint(request), await endpoint(request)];

    const message = `${named} is not emulated: functions/create.ts called ${action}.`;
    const body = JSON.stringify({ __type: 'com.amazon.coral.service#UnsupportedOperation', message });
    expect(responses).toMatchObject([
      { status: 400, body },
      { status: 400, body },
    ]);
    expect(logged).toHaveBeenCalledExactlyOnceWith(message);
    expect(dynamodb).not.toHaveBeenCalled();
  },
);

it('the AWS endpoint tells an operator of a service that is not emulated only in the response', async () => {
  using logged = vi.spyOn(console, 'error').mockReturnValue();
  const headers = { authorization: signedBy('operator', 'sqs'), 'x-amz-target': ['AmazonSQS.ListQueues'] };

  const response = await endpoint(httpRequest({ headers }));

  expect(response.body).toContain('SQS is not emulated: The caller called ListQueues.');
  expect(logged).not.toHaveBeenCalled();
});

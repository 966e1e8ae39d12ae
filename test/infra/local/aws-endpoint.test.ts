import { expect, it, vi } from 'vitest';
import { createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { httpRequest } from '../../support/infra/http-request.ts';

const stack = { name: 'PetStore-staging', outputs: { PetsTableName: 'pets', Odd: 'a & b <c>' } };
const dynamodb = vi.fn();
const endpoint = createAwsEndpoint(stack, dynamodb);

async function send(body: string, headers: Readonly<Record<string, readonly string[]>>) {
  const { status, body: xml } = await endpoint(httpRequest({ headers, body: Buffer.from(body) }));
  return `${status} ${xml}`;
}

// The tests of the operators' commands call it through the SDK.
it.each([
  ['Action=DescribeStacks', /^200 .*<OutputKey>Odd<.*<OutputValue>a &amp; b &lt;c></],
  ['Action=DescribeStacks&StackName=a%26<b>', /^400 .*<Message>Stack with id a&amp;&lt;b> does not exist</],
  ['Action=ListStacks', /^400 .*<Code>InvalidAction<.*>The local API does not support ListStacks\.</],
])('the AWS endpoint responds to %s', async (body, expected) => {
  expect(await send(body, { authorization: ['AWS4-HMAC-SHA256 Credential=operator/…'] })).toMatch(expected);
});

it('the AWS endpoint rejects an unsigned call, such as a page could send', async () => {
  const headers = { 'x-amz-target': ['DynamoDB_20120810.ListTables'], authorization: ['Bearer x'] };

  expect(await send('{}', headers)).toMatch(/^403 .*<Code>MissingAuthenticationToken</);
  expect(dynamodb).not.toHaveBeenCalled();
});

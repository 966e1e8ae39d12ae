import { describe, expect, it, vi } from 'vitest';
import { createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { httpRequest } from '../../support/infra/http-request.ts';

const stack = { name: 'PetStore-staging', outputs: { PetsTableName: 'pets', Odd: 'a & b <c>' } };
const dynamodb = vi.fn();
const signed = { authorization: ['AWS4-HMAC-SHA256 Credential=operator/…'] };

async function send(body: string, headers: Readonly<Record<string, readonly string[]>> = signed) {
  const { status, body: xml } = await createAwsEndpoint(
    stack,
    dynamodb,
  )(httpRequest({ headers, body: Buffer.from(body) }));
  return `${status} ${xml}`;
}

// The tests of the operator's commands call it by the SDK.
describe('the AWS endpoint of the local API', () => {
  it('describes the stack', async () => {
    const response = await send('Action=DescribeStacks');

    expect(response).toMatch(/^200 .*<StackName>PetStore-staging</);
    expect(response).toContain('<OutputKey>Odd</OutputKey><OutputValue>a &amp; b &lt;c></OutputValue>');
  });

  it.each([
    [
      'Action=DescribeStacks&StackName=a%26<b>',
      'ValidationError',
      'Stack with id a&amp;&lt;b> does not exist',
    ],
    ['Action=ListStacks', 'InvalidAction', 'The local API has no ListStacks.'],
  ])('refuses %s', async (body, code, message) => {
    expect(await send(body)).toMatch(new RegExp(`^400 .*<Code>${code}</Code><Message>${message}</Message>`));
  });

  it('refuses a call that is not signed, as a page could send it', async () => {
    const response = await send('{}', {
      'x-amz-target': ['DynamoDB_20120810.ListTables'],
      authorization: ['Bearer x'],
    });

    expect(response).toMatch(/^403 .*<Code>MissingAuthenticationToken</);
    expect(dynamodb).not.toHaveBeenCalled();
  });
});

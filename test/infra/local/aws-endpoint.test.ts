import { createServer } from 'node:http';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { awsEndpointPath, createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { readRequest, sendResponse } from '../../../infra/local/http/http.ts';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { operatorAt } from '../../../infra/local/template/account.ts';

const stack = { name: 'PetStore-staging', outputs: { PetsTableName: 'pets', Odd: 'a & b <c> "d" &amp;' } };

const dynamodb = { respond: vi.fn() };
const server = createServer(async (message, response) => {
  const request = await readRequest(message);
  if (request) sendResponse(response, await createAwsEndpoint(stack, dynamodb)(request));
});
const endpoint = `http://127.0.0.1:${await listen(server)}${awsEndpointPath}`;
const cloudformation = new CloudFormationClient(operatorAt(endpoint));
afterAll(() => close(server));

describe('CloudFormation at the AWS endpoint of the local API', () => {
  it('describes the stack', async () => {
    const { Stacks } = await cloudformation.send(new DescribeStacksCommand());

    expect(Stacks).toMatchObject([
      {
        StackName: 'PetStore-staging',
        StackStatus: 'CREATE_COMPLETE',
        Outputs: [
          { OutputKey: 'PetsTableName', OutputValue: 'pets' },
          { OutputKey: 'Odd', OutputValue: 'a & b <c> "d" &amp;' },
        ],
      },
    ]);
  });

  it('refuses another stack, and another action', async () => {
    const described = cloudformation.send(new DescribeStacksCommand({ StackName: 'a & <b>' }));
    const listed = cloudformation.send(new ListStacksCommand());

    await expect(described).rejects.toMatchObject({
      name: 'ValidationError',
      message: 'Stack with id a & <b> does not exist',
    });
    await expect(listed).rejects.toMatchObject({
      name: 'InvalidAction',
      message: 'The local API has no ListStacks.',
    });
  });
});

describe('the AWS endpoint of the local API', () => {
  const target = { 'X-Amz-Target': 'DynamoDB_20120810.ListTables' };

  it.each<[title: string, headers: Readonly<Record<string, string>>]>([
    ['without credentials', target],
    ['with an API key', { ...target, Authorization: 'Bearer x' }],
  ])('refuses a call %s, as a page could send it', async (_title, headers) => {
    const response = await fetch(endpoint, { method: 'POST', headers, body: '{}' });

    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<Code>MissingAuthenticationToken</Code>');
    expect(dynamodb.respond).not.toHaveBeenCalled();
  });
});

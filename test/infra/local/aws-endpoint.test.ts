import { createServer } from 'node:http';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  ListStacksCommand,
} from '@aws-sdk/client-cloudformation';
import {
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { awsEndpointPath, createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { EmbeddedDynamodb } from '../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { readRequest, sendResponse } from '../../../infra/local/http/http.ts';
import { close, listen } from '../../../infra/local/http/listen.ts';

const stack = { name: 'PetStore-staging', outputs: { PetsTableName: 'pets', Odd: 'a & b <c> "d" &amp;' } };

const embedded = new EmbeddedDynamodb();
let endpoint: string;
let cloudformation: CloudFormationClient;
let dynamodb: DynamoDBClient;

const server = createServer(async (message, response) => {
  const request = await readRequest(message);
  if (request) sendResponse(response, await createAwsEndpoint(stack, embedded)(request));
});

beforeAll(async () => {
  endpoint = `http://127.0.0.1:${await listen(server)}${awsEndpointPath}`;
  const config = {
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'anyone', secretAccessKey: 'anything' },
  };
  cloudformation = new CloudFormationClient(config);
  dynamodb = new DynamoDBClient(config);
});
afterAll(async () => {
  await close(server);
  await embedded.close();
});

describe('CloudFormation at the AWS endpoint of the local API', () => {
  it.each([undefined, 'PetStore-staging'])('describes the stack to who asks for %s', async (StackName) => {
    const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName }));

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

  it.each(['PetStore-production', 'a & <b>'])('says that there is no stack %s', async (StackName) => {
    const described = cloudformation.send(new DescribeStacksCommand({ StackName }));

    await expect(described).rejects.toMatchObject({
      name: 'ValidationError',
      message: `Stack with id ${StackName} does not exist`,
    });
  });

  it('refuses what it has not', async () => {
    const listed = cloudformation.send(new ListStacksCommand());

    await expect(listed).rejects.toMatchObject({
      name: 'InvalidAction',
      message: 'The local API has no ListStacks.',
    });
  });
});

describe('the AWS endpoint of the local API', () => {
  it.each<[title: string, headers: Readonly<Record<string, string>>, body: string]>([
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'Action=DescribeStacks'],
    ['text', { 'Content-Type': 'text/plain' }, '{}'],
    ['a call without credentials', { 'X-Amz-Target': 'DynamoDB_20120810.ListTables' }, '{}'],
    [
      'a call with an API key',
      { Authorization: 'Bearer x', 'X-Amz-Target': 'DynamoDB_20120810.ListTables' },
      '{}',
    ],
  ])('refuses %s, as a page could send it', async (_title, headers, body) => {
    const response = await fetch(endpoint, { method: 'POST', headers, body });

    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<Code>MissingAuthenticationToken</Code>');
  });
});

describe('DynamoDB at the AWS endpoint of the local API', () => {
  it('keeps what is written', async () => {
    const item = { keyHash: { S: 'täg' }, createdAt: { N: '9007199254740993' } };
    await dynamodb.send(
      new CreateTableCommand({
        TableName: 'keys',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'keyHash', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'keyHash', KeyType: 'HASH' }],
      }),
    );
    await dynamodb.send(new PutItemCommand({ TableName: 'keys', Item: item }));

    const { Item } = await dynamodb.send(
      new GetItemCommand({ TableName: 'keys', Key: { keyHash: item.keyHash } }),
    );

    expect(Item).toStrictEqual(item);
  });

  it('tells its errors', async () => {
    const read = dynamodb.send(new GetItemCommand({ TableName: 'none', Key: { keyHash: { S: 'x' } } }));

    await expect(read).rejects.toThrow(ResourceNotFoundException);
  });
});

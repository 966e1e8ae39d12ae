import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ApiKeyStore } from '../../../bin/keys/api-key-store.ts';
import { localKey } from '../../../bin/local/local-key.ts';
import { createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { createTables } from '../../../infra/local/dynamodb/create-tables.ts';
import { EmbeddedDynamodb } from '../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { readRequest, sendResponse } from '../../../infra/local/http/http.ts';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { operatorAt } from '../../../infra/local/template/account.ts';
import { outputNames } from '../../../infra/settings/stage-names.ts';
import { apiKeyHash, generateApiKey } from '../../../shared/contract/api-key.ts';

const TableName = 'keys';
const stack = { name: 'PetStore-staging', outputs: { [outputNames.apiKeysTable]: TableName } };
const embedded = new EmbeddedDynamodb();
const respond = createAwsEndpoint(stack, embedded);
const server = createServer(async (message, response) => {
  const request = await readRequest(message);
  if (request) sendResponse(response, await respond(request));
});
let port: number;
let client: DynamoDBClient;
let keys: ApiKeyStore;
let directory: string;

beforeAll(async () => {
  port = await listen(server);
  client = new DynamoDBClient(operatorAt(`http://127.0.0.1:${port}/_aws/`));
  keys = new ApiKeyStore(client, TableName, 'staging');
  await createTables(client, [
    {
      id: TableName,
      arn: TableName,
      properties: {
        AttributeDefinitions: [{ AttributeName: 'keyHash', AttributeType: 'S' }],
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName: 'keyHash', KeyType: 'HASH' }],
      },
    },
  ]);
});
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  return () => rmSync(directory, { recursive: true });
});
afterAll(async () => {
  client.destroy();
  await close(server);
  await embedded.close();
});

const keep = () => localKey({ port }, directory);
const fileOf = () => join(directory, readdirSync(directory)[0] ?? '');

describe('the local key', () => {
  it('is one for a data directory, kept there for this user alone', async () => {
    const before = await keys.list();

    const given = [await keep(), await keep(), await keep()];

    expect(new Set(given).size).toBe(1);
    expect(await keys.list()).toHaveLength(before.length + 1);
    expect(readdirSync(directory)).toStrictEqual(['local-key-staging']);
    expect(statSync(fileOf()).mode & 0o777).toBe(0o600);
  });

  it.each<[title: string, end: (key: string) => Promise<unknown>]>([
    [
      'was revoked',
      async (key) => {
        const found = await keys.find(apiKeyHash(key));
        return found && keys.revoke(found, 1);
      },
    ],
    [
      'has expired',
      async (key) => {
        const found = await keys.find(apiKeyHash(key));
        return found && keys.expire(found, 1);
      },
    ],
    ['was never issued', async () => writeFileSync(fileOf(), generateApiKey('staging'))],
    [
      'is not of the client local',
      async () => writeFileSync(fileOf(), (await keys.issue({ client: 'acme' })).key),
    ],
    ['is no key', async () => writeFileSync(fileOf(), '')],
  ])('is a new one where the kept one %s', async (_title, end) => {
    const first = await keep();
    await end(first);
    const kept = readFileSync(fileOf(), 'utf8').trim();

    const second = await keep();
    const third = await keep();

    expect([first, kept]).not.toContain(second);
    expect(third).toBe(second);
    expect(await keys.find(apiKeyHash(second))).toMatchObject({ client: 'local' });
  });

  it('is a new one each time where nothing is kept', async () => {
    const given = [await localKey({ port }), await localKey({ port })];

    expect(new Set(given).size).toBe(2);
  });
});

import { type NativeAttributeValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { handler } from '../../functions/authorizer.ts';
import { apiKeyHash, apiKeyTable, generateApiKey, keyIdOf } from '../../shared/keys/api-key.ts';
import { environmentVariable } from '../../shared/lambda/init.ts';
import { dynamodb } from '../../shared/tables/dynamodb.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { dynamodb as documents } from '../support/functions/stored-items.ts';
import { loadAt, nowhere } from '../support/functions/stub-dynamodb.ts';
import { codePoint } from '../support/fuzz/code-point.ts';

const log = captureLog();
const TableName = environmentVariable(apiKeyTable.nameVariable);
const api = 'arn:aws:execute-api:us-east-1:123456789012:api';

/** The seconds since 1970 of an instant. */
const seconds = (instant: string) => Date.parse(instant) / 1000;

/** Issues a key to the client `acme`, with any further attributes. */
async function issueKey(attributes: Record<string, NativeAttributeValue> = {}, stage = 'staging') {
  const key = generateApiKey(`petstore_${stage}_`);
  const createdAt = seconds('2026-11-20T00:00:00Z');
  const Item = { keyHash: apiKeyHash(key), client: 'acme', createdAt, ...attributes };
  await documents.send(new PutCommand({ TableName, Item }));
  return key;
}

const authorizeHeader = (authorizationToken: string, path = 'GET/pets', authorize = handler) =>
  authorize({ type: 'TOKEN', authorizationToken, methodArn: `${api}/v1/${path}` });
const authorize = (key: string, path?: string, authorizer?: typeof handler) =>
  authorizeHeader(`Bearer ${key}`, path, authorizer);

const policy = (principalId: string, Effect: 'Allow' | 'Deny') => ({
  principalId,
  policyDocument: {
    Version: '2012-10-17',
    Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: `${api}/v1/*` }],
  },
});
const keyIdFor = (key: string) => keyIdOf(apiKeyHash(key));
const allowed = (key: string) => ({
  ...policy(keyIdFor(key), 'Allow'),
  context: { client: 'acme', keyId: keyIdFor(key) },
});
const denied = (key: string) => policy(keyIdFor(key), 'Deny');
const deniedUnread = policy('unknown', 'Deny');

describe('authorizer', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('grants a key the whole stage with one consistent read, ignoring scheme case', async () => {
    const key = await issueKey();
    const send = vi.spyOn(dynamodb, 'send');

    const responses = [
      await authorizeHeader(`BEARER ${key}`, 'GET/pets/12'),
      await authorizeHeader(`bearer   ${key}`, 'GET/'),
    ];

    expect(responses).toEqual([allowed(key), allowed(key)]);
    const input = { TableName, Key: { keyHash: apiKeyHash(key) }, ConsistentRead: true };
    expect(send.mock.calls).toMatchObject([[{ input }], [{ input }]]);
  });

  it('denies a key that is revoked', async () => {
    const revoked = await issueKey({ revokedAt: seconds('2026-11-21T00:00:00Z') });

    expect(await authorize(revoked)).toEqual(denied(revoked));
  });

  it('denies a key that was never issued, and logs its id, never the key', async () => {
    const unknown = generateApiKey('petstore_staging_');

    expect(await authorize(unknown)).toEqual(denied(unknown));

    const line = { message: 'A request was rejected.', code: 'unauthorized', keyId: keyIdFor(unknown) };
    const lines = log.infos().map((text) => JSON.parse(text));
    expect(lines).toEqual([{ ...line, coldStart: expect.any(Boolean) }]);
  });

  it('allows a key until the instant at which it expires', async () => {
    const key = await issueKey({ expiresAt: seconds('2027-01-01T00:00:00Z') });

    vi.useFakeTimers({ now: new Date('2026-12-31T23:59:59.999Z'), toFake: ['Date'] });
    expect(await authorize(key)).toEqual(allowed(key));

    vi.setSystemTime(new Date('2027-01-01T00:00:00Z'));
    expect(await authorize(key)).toEqual(denied(key));
  });

  it('allows only keys of its own stage, even if its table has others', async () => {
    const staging = await issueKey();
    const production = await issueKey({}, 'production');
    vi.stubEnv('KEY_PREFIX', 'petstore_production_');
    const endpoint = inject('dynamodbEndpoint');
    const inProduction = await loadAt(endpoint, () => import('../../functions/authorizer.ts'));

    expect(await authorize(production)).toEqual(deniedUnread);
    expect(await authorize(production, 'GET/', inProduction.handler)).toEqual(allowed(production));
    expect(await authorize(staging, 'GET/', inProduction.handler)).toEqual(deniedUnread);
  });

  it('denies any invalid Authorization header without reading a table', async () => {
    const key = await issueKey();
    const send = vi.spyOn(dynamodb, 'send');

    await fc.assert(
      fc.asyncProperty(wrongAuthorization(key), async (authorization) => {
        expect(await authorizeHeader(authorization)).toStrictEqual(deniedUnread);
      }),
      { numRuns: 1000 },
    );

    expect(send).not.toHaveBeenCalled();
  });

  it('fails while DynamoDB is unreachable, and logs why', async () => {
    const key = generateApiKey('petstore_staging_');
    const unreachable = await loadAt(nowhere, () => import('../../functions/authorizer.ts'));

    for (const coldStart of [true, false]) {
      const response = authorize(key, 'GET/', unreachable.handler);

      await expect(response).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(JSON.parse(log.errors().at(-1) ?? '')).toMatchObject({
        message: 'The API key could not be read.',
        coldStart,
        keyId: keyIdFor(key),
        error: { cause: { code: 'ECONNREFUSED' } },
      });
    }
  });
});

/** Any header without a valid key; most resemble the header with `key`. */
function wrongAuthorization(key: string): fc.Arbitrary<string> {
  const valid = `Bearer ${key}`;
  const altered = fc
    .tuple(fc.nat(valid.length), fc.nat(3), fc.string({ unit: codePoint, maxLength: 1 }))
    .map(([at, removed, inserted]) => valid.slice(0, at) + inserted + valid.slice(at + removed));
  const random = fc.stringMatching(/^Bearer petstore_staging_[0-9A-Za-z]{38}$/);
  const others = ['', key, `Basic ${key}`, `${valid}\n`, `${valid},${valid}`];
  // Another space or the scheme in another case leaves the header valid.
  const isValid = (header: string) => /^bearer +(.*)$/is.exec(header)?.[1] === key;
  return fc.oneof(altered, random, fc.constantFrom(...others)).filter((header) => !isValid(header));
}

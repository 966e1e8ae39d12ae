import { type NativeAttributeValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, describe, expect, inject, it, vi } from 'vitest';
import { handler } from '../../functions/authorizer.ts';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../shared/contract/api-key.ts';
import { dynamodb } from '../../shared/lambda/dynamodb.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { apiKeysTable } from '../../shared/tables/table-definitions.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { dynamodb as tables } from '../support/functions/document-client.ts';
import { loadAt, nowhere } from '../support/functions/stub-dynamodb.ts';
import { codePoint } from '../support/properties/code-point.ts';

const log = captureLog();
const TableName = environmentVariable(apiKeysTable.nameVariable);
const api = 'arn:aws:execute-api:us-east-1:123456789012:api';

/** The seconds since 1970 of an instant. */
const seconds = (instant: string) => Date.parse(instant) / 1000;

/** Issues a key of the client `acme`, with more attributes if need be. */
async function issueKey(attributes: Record<string, NativeAttributeValue> = {}, stage = 'staging') {
  const key = generateApiKey(stage);
  const createdAt = seconds('2026-11-20T00:00:00Z');
  const Item = { keyHash: apiKeyHash(key), client: 'acme', createdAt, ...attributes };
  await tables.send(new PutCommand({ TableName, Item }));
  return key;
}

const loadAuthorizer = (endpoint: string) => loadAt(endpoint, () => import('../../functions/authorizer.ts'));
const authorizeWith = (authorize: typeof handler, authorizationToken: string, path = 'GET/pets') =>
  authorize({ type: 'TOKEN', authorizationToken, methodArn: `${api}/v1/${path}` });
const authorize = (key: string, path?: string) => authorizeWith(handler, `Bearer ${key}`, path);

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
    vi.restoreAllMocks();
  });

  it('allows an issued key the whole stage, by one consistent read', async () => {
    const key = await issueKey();
    const send = vi.spyOn(dynamodb, 'send');

    const responses = [await authorize(key, 'GET/pets/12'), await authorize(key, 'GET/')];

    expect(responses).toEqual([allowed(key), allowed(key)]);
    const input = { TableName, Key: { keyHash: apiKeyHash(key) }, ConsistentRead: true };
    expect(send.mock.calls).toMatchObject([[{ input }], [{ input }]]);
  });

  it('denies a key that was never issued, and one that is revoked', async () => {
    const unknown = generateApiKey('staging');
    const revoked = await issueKey({ revokedAt: seconds('2026-11-21T00:00:00Z') });

    expect(await authorize(unknown)).toEqual(denied(unknown));
    expect(await authorize(revoked)).toEqual(denied(revoked));
  });

  it('allows a key until the instant at which it expires', async () => {
    const key = await issueKey({ expiresAt: seconds('2027-01-01T00:00:00Z') });

    vi.useFakeTimers({ now: new Date('2026-12-31T23:59:59.999Z'), toFake: ['Date'] });
    expect(await authorize(key)).toEqual(allowed(key));

    vi.setSystemTime(new Date('2027-01-01T00:00:00Z'));
    expect(await authorize(key)).toEqual(denied(key));
  });

  it('allows the keys of its own stage alone, even where its table holds others', async () => {
    const [staging, production] = [await issueKey({}, 'staging'), await issueKey({}, 'production')];
    vi.stubEnv('STAGE', 'production');
    const { handler } = await loadAuthorizer(inject('dynamodbEndpoint'));

    const inStaging = [await authorize(staging), await authorize(production)];
    const inProduction = [
      await authorizeWith(handler, `Bearer ${staging}`),
      await authorizeWith(handler, `Bearer ${production}`),
    ];

    expect(inStaging).toEqual([allowed(staging), deniedUnread]);
    expect(inProduction).toEqual([deniedUnread, allowed(production)]);
  });

  it('denies whatever else an Authorization header holds, and reads no table', async () => {
    const key = await issueKey();
    const send = vi.spyOn(dynamodb, 'send');

    await fc.assert(
      fc.asyncProperty(wrongAuthorization(key), async (authorization) => {
        expect(await authorizeWith(handler, authorization)).toStrictEqual(deniedUnread);
      }),
      { numRuns: 1000 },
    );

    expect(send).not.toHaveBeenCalled();
  });

  it('fails while DynamoDB is unreachable, and logs why, and whether that was a cold start', async () => {
    const key = generateApiKey('staging');
    const { handler } = await loadAuthorizer(nowhere);

    for (const coldStart of [true, false]) {
      const response = authorizeWith(handler, `Bearer ${key}`);

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

/** Any text but one with a key whose checksum holds: the more like the header of `key`, the likelier. */
function wrongAuthorization(key: string): fc.Arbitrary<string> {
  const good = `Bearer ${key}`;
  const place = fc.nat(good.length);
  const text = fc.string({ unit: codePoint });
  const altered = fc
    .tuple(place, fc.nat(3), fc.string({ unit: codePoint, maxLength: 1 }))
    .map(([at, removed, inserted]) => good.slice(0, at) + inserted + good.slice(at + removed));
  const likely = fc.oneof(
    fc.constantFrom(' ', '\n', '\r\n', '=', `,${good}`).map((end) => good + end),
    fc.constantFrom('Basic', 'Digest', 'Bearer:', 'Вearer', '').map((scheme) => `${scheme} ${key}`),
  );
  const random = fc.stringMatching(/^Bearer petstore_staging_[0-9A-Za-z]{38}$/);
  // A space more after the scheme leaves the header good, and so does the scheme in another case.
  const isGood = (value: string) => /^bearer +(.*)$/is.exec(value)?.[1] === key;
  return fc.oneof(text, random, altered, likely).filter((value) => !isGood(value));
}

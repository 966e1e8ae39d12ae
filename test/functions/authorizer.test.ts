import { type NativeAttributeValue, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler } from '../../functions/authorizer.ts';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../shared/contract/api-key.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { apiKeysTable } from '../../shared/tables/table-definitions.ts';
import { dynamodb } from '../support/functions/document-client.ts';
import { captureErrorLog } from '../support/functions/error-log.ts';
import { loadAt, nowhere } from '../support/functions/stub-dynamodb.ts';

const log = captureErrorLog();
const api = 'arn:aws:execute-api:us-east-1:123456789012:api';

/** The seconds since 1970 of an instant. */
const seconds = (instant: string) => Date.parse(instant) / 1000;

/** Issues a key of the client `acme`, with more attributes if need be. */
async function issueKey(attributes: Readonly<Record<string, NativeAttributeValue>> = {}): Promise<string> {
  const key = generateApiKey('staging');
  await dynamodb.send(
    new PutCommand({
      TableName: environmentVariable(apiKeysTable.nameVariable),
      Item: {
        keyHash: apiKeyHash(key),
        client: 'acme',
        createdAt: seconds('2026-11-20T00:00:00Z'),
        ...attributes,
      },
    }),
  );
  return key;
}

const eventOf = (authorizationToken: string, path = 'GET/pets') => ({
  type: 'TOKEN' as const,
  authorizationToken,
  methodArn: `${api}/v1/${path}`,
});
const authorize = (key: string) => handler(eventOf(`Bearer ${key}`));

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

describe('authorizer', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(['GET/pets', 'POST/pets', 'GET/pets/12', 'GET/'])(
    'allows an issued key the whole stage, asked for %s',
    async (path) => {
      const key = await issueKey();

      const response = await handler(eventOf(`Bearer ${key}`, path));

      expect(response).toEqual(allowed(key));
    },
  );

  it.each(['bearer', 'BEARER', 'bEaReR'])('takes the scheme %s', async (scheme) => {
    const key = await issueKey();

    const response = await handler(eventOf(`${scheme} ${key}`));

    expect(response).toEqual(allowed(key));
  });

  it('denies a key that was never issued', async () => {
    const key = generateApiKey('staging');

    const response = await authorize(key);

    expect(response).toEqual(denied(key));
  });

  it('denies a revoked key', async () => {
    const key = await issueKey({ revokedAt: seconds('2026-11-21T00:00:00Z') });

    const response = await authorize(key);

    expect(response).toEqual(denied(key));
  });

  it.each([
    ['allows', '2026-12-31T23:59:59.999Z', allowed],
    ['denies', '2027-01-01T00:00:00.000Z', denied],
  ])('%s at %s a key that expires with 2026', async (_title, now, responseFor) => {
    const key = await issueKey({ expiresAt: seconds('2027-01-01T00:00:00Z') });
    vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });

    const response = await authorize(key);

    expect(response).toEqual(responseFor(key));
  });

  it('allows each of the keys of a client', async () => {
    const [old, recent] = await Promise.all([issueKey(), issueKey()]);

    const responses = await Promise.all([authorize(old), authorize(recent)]);

    expect(responses).toEqual([allowed(old), allowed(recent)]);
  });

  it('fails on a damaged key, and tells no value of it', async () => {
    const key = await issueKey({ expiresAt: 'tomorrow' });

    await expect(authorize(key)).rejects.toThrow('A stored item has invalid expiresAt.');
  });

  describe('while DynamoDB is unreachable', () => {
    const loadAuthorizer = () => loadAt(nowhere, () => import('../../functions/authorizer.ts'));

    it('fails for a well-formed key, and logs why', async () => {
      const authorizer = await loadAuthorizer();

      const response = authorizer.handler(eventOf(`Bearer ${generateApiKey('staging')}`));

      await expect(response).rejects.toMatchObject({ code: 'service_unavailable' });
      expect(log.lines()).toContainEqual(
        expect.stringMatching(/"message":"The API key could not be read\.".*"code":"ECONNREFUSED"/),
      );
    });

    it.each([
      ['without a scheme', (key: string) => key],
      ['of another scheme', (key: string) => `Basic ${key}`],
      [
        'with a wrong checksum',
        (key: string) => `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
      ],
      ['cut short', (key: string) => `Bearer ${key.slice(0, -1)}`],
      ['of another stage', () => `Bearer ${generateApiKey('production')}`],
      [
        'renamed to this stage',
        () => `Bearer ${generateApiKey('production').replace('production', 'staging')}`,
      ],
      ['that is none', () => 'Bearer x'],
      ['that is empty', () => ''],
    ])('still denies a key %s, for it reads no table', async (_title, headerFor) => {
      const authorizer = await loadAuthorizer();

      const response = await authorizer.handler(eventOf(headerFor(generateApiKey('staging'))));

      expect(response).toEqual(policy('unknown', 'Deny'));
    });
  });
});

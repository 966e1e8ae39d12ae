import { randomInt } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { ApiKeyStore } from '../../bin/keys/api-key-store.ts';
import type { StageName } from '../../infra/settings/stage-names.ts';
import { apiKeyHash, generateApiKey } from '../../shared/contract/api-key.ts';
import { environmentVariable } from '../../shared/lambda/environment.ts';
import { apiKeysTable } from '../../shared/tables/table-definitions.ts';
import { recordDynamodb } from '../support/functions/recorded-dynamodb.ts';
import { loadAt } from '../support/functions/stub-dynamodb.ts';

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/v1/GET/pets';
const denied = {
  principalId: 'unknown',
  policyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Action: 'execute-api:Invoke',
        Effect: 'Deny',
        Resource: 'arn:aws:execute-api:us-east-1:123456789012:api/v1/*',
      },
    ],
  },
};

/** Issues a key in the one table, as a key of a stage. */
async function issueKey(stage: StageName): Promise<string> {
  const store = new ApiKeyStore(new DynamoDBClient(), environmentVariable(apiKeysTable.nameVariable), stage);
  const { key } = await store.issue({ client: 'acme' });
  return key;
}

/** Loads the authorizer of a stage, and counts what it reads. */
async function loadAuthorizer(stage: StageName) {
  const dynamodb = await recordDynamodb(inject('dynamodbEndpoint'));
  onTestFinished(() => dynamodb[Symbol.asyncDispose]());
  vi.stubEnv('STAGE', stage);
  const { handler } = await loadAt(dynamodb.endpoint, () => import('../../functions/authorizer.ts'));

  return {
    authorize: (authorizationToken: string) => handler({ type: 'TOKEN', authorizationToken, methodArn }),
    keyHashesRead: dynamodb.keyHashesRead,
  };
}

describe('the reads of the authorizer', () => {
  it('are one for a key whose checksum holds', async () => {
    const [issued, unknown] = [await issueKey('staging'), generateApiKey('staging')];
    const { authorize, keyHashesRead } = await loadAuthorizer('staging');

    const responses = [await authorize(`Bearer ${issued}`), await authorize(`Bearer ${unknown}`)];

    expect(responses.map(({ policyDocument }) => policyDocument.Statement)).toMatchObject([
      [{ Effect: 'Allow' }],
      [{ Effect: 'Deny' }],
    ]);
    expect(keyHashesRead).toStrictEqual([apiKeyHash(issued), apiKeyHash(unknown)]);
  });

  it.each([
    ['staging', 'production'],
    ['production', 'staging'],
  ] as const)('are none for a key of %s in %s, even where the table holds it', async (stage, other) => {
    const key = await issueKey(stage);
    const { authorize, keyHashesRead } = await loadAuthorizer(other);

    const response = await authorize(`Bearer ${key}`);

    expect(response).toStrictEqual(denied);
    expect(keyHashesRead).toStrictEqual([]);
  });

  it('are none for a key with any one character changed', async () => {
    const key = await issueKey('staging');
    const { authorize, keyHashesRead } = await loadAuthorizer('staging');
    const changed = [...key].flatMap((original, index) =>
      [...base62, '_']
        .filter((character) => character !== original)
        .map((character) => key.slice(0, index) + character + key.slice(index + 1)),
    );

    const responses = await Promise.all(changed.map((wrong) => authorize(`Bearer ${wrong}`)));

    expect(new Set(changed).size).toBe(key.length * 62);
    expect(responses).toStrictEqual(changed.map(() => denied));
    expect(keyHashesRead).toStrictEqual([]);
  });

  it('are none for 10,000 random keys', async () => {
    const { authorize, keyHashesRead } = await loadAuthorizer('staging');
    const randomKey = () =>
      `petstore_staging_${Array.from({ length: 38 }, () => base62[randomInt(62)]).join('')}`;
    const keys = Array.from({ length: 10_000 }, randomKey);

    const responses = await Promise.all(keys.map((key) => authorize(`Bearer ${key}`)));

    expect(responses).toStrictEqual(keys.map(() => denied));
    expect(keyHashesRead).toStrictEqual([]);
  });

  it('are none for whatever else an Authorization header holds', async () => {
    const key = await issueKey('staging');
    const { authorize, keyHashesRead } = await loadAuthorizer('staging');

    await fc.assert(
      fc.asyncProperty(wrongAuthorization(key), async (authorization) => {
        expect(await authorize(authorization)).toStrictEqual(denied);
        expect(keyHashesRead).toStrictEqual([]);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Any text but one with a key whose checksum holds: the more like the header of `key`, the likelier. */
function wrongAuthorization(key: string): fc.Arbitrary<string> {
  const good = `Bearer ${key}`;
  const text = fc.string({ unit: 'binary' });
  const place = fc.nat(good.length);
  const altered = fc.oneof(
    fc
      .tuple(place, fc.string({ minLength: 1 }))
      .map(([at, more]) => good.slice(0, at) + more + good.slice(at)),
    fc.tuple(place, fc.nat(3)).map(([at, count]) => good.slice(0, at) + good.slice(at + 1 + count)),
    place.map((at) => good.slice(at) + good.slice(0, at)),
    place.map((at) => good.slice(0, at) + good.slice(at).toUpperCase()),
    fc.constantFrom(' ', ',', '\n', '\0', '\u2028').map((separator) => good + separator + good),
    fc.constantFrom('\n', '\r\n', ' ', '\0', '=').map((end) => good + end),
    fc.constantFrom('Basic', 'Digest', 'Bearer:', 'Вearer', '').map((scheme) => `${scheme} ${key}`),
  );
  // A space more after the scheme leaves the header good, and so does the scheme in another case.
  const isGood = (value: string) => /^bearer +(.*)$/is.exec(value)?.[1] === key;
  return fc
    .oneof(
      text,
      text.map((rest) => `Bearer ${rest}`),
      altered,
    )
    .filter((value) => !isGood(value));
}

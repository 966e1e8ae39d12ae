import { readFileSync } from 'node:fs';
import { describe, expect, inject, it, vi } from 'vitest';
import { operatorArn } from '../../../infra/local/template/account.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { baseUrl, call } from '../../support/e2e/api-client.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import type { Machine } from '../../support/local/command-process.ts';
import { issue, keys } from '../../support/local/keys.ts';
import { expectNoKeyPrinted } from '../../support/local/send-everywhere.ts';

const { port } = new URL(baseUrl);
const run = (args: readonly string[], machine?: Machine) => keys([...args, '--port', port], machine);

/** An operator whose AWS is the local API. */
const atAwsEndpoint = {
  environment: {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/_aws`,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'operator',
    AWS_SECRET_ACCESS_KEY: 'none',
  },
};

const get = (path: string, Authorization: string) => call('GET', path, { headers: { Authorization } });
const printed = () => readFileSync(inject('localApi').log, 'utf8');
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('npm run keys', { timeout: 60_000 }, () => {
  it('lists an issued key after its rotation', async () => {
    const flags = ['--client', 'acme', '--expires', '90d', '--note', '\u009b2Jtill', '--json'];
    const issued = JSON.parse((await run(['issue', ...flags])).stdout);
    const { key, keyId } = issued;
    const rotated = await run(['rotate', keyId, '--overlap', '7d', '--expires', 'never']);
    const [, newKey = ''] =
      /^(petstore_staging_\w{38})\n\nThis is key \w{12} of acme, which expires never\. It will not be shown again\.\nThe old key \w{12} expires at \S+Z\.\n$/.exec(
        rotated.stdout,
      ) ?? [];
    const json = await run(['list', '--client', 'acme', '--json', '--stage', 'staging'], atAwsEndpoint);
    const table = await run(['list']);

    expect(issued).toStrictEqual({
      key: expect.stringMatching(/^petstore_staging_[0-9A-Za-z]{38}$/),
      keyId: expect.stringMatching(/^[0-9a-f]{12}$/),
      client: 'acme',
      expires: instant,
    });
    expect(await get('/pets', `Bearer ${key}`)).toMatchObject({ status: 200 });
    expect(await get('/pets', `Bearer ${newKey}`)).toMatchObject({ status: 200 });
    const { key: _key, ...identity } = issued;
    expect(json.stdout).not.toContain('\u009b');
    expect(JSON.parse(json.stdout)).toHaveLength(2);
    expect(JSON.parse(json.stdout)).toContainEqual({
      ...{ ...identity, expires: instant, created: instant, state: 'expiring', note: '\u009b2Jtill' },
      ...{ issuedBy: operatorArn, rotatedBy: operatorArn, revoked: null, revokedBy: null },
    });
    expect(table.stdout).toMatch(/^KEY ID {8}CLIENT {2}CREATED /);
    expect(table.stdout).toMatch(
      new RegExp(`^${keyId} .+ expiring within 14 days {2}user/operator +\\\\u009b2Jtill *$`, 'm'),
    );
  });

  it('revokes a key, which is rejected immediately if it was never used', async () => {
    const { key, keyId } = await issue(Number(port), 'globex');

    const revoked = await run(['revoke', keyId]);
    const verified = await run(['verify'], { input: key });

    expect(revoked).toMatchObject({
      exitCode: 0,
      stdout: `Revoked ${keyId} of globex. It may still work for 60 seconds, while API Gateway caches the authorizer's response.\n`,
    });
    expect(verified).toMatchObject({
      exitCode: 1,
      stdout: `${keyId} of globex is not valid: revoked, expires never.\n`,
    });
    expectError(await get('/pets', `Bearer ${key}`), 401, 'unauthorized');
  });

  it('finds the local API by BASE_URL', async () => {
    const { keyId } = await issue(Number(port), 'hooli');

    const listed = await keys(['list', '--client', 'hooli'], { environment: { BASE_URL: baseUrl } });

    expect(listed).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(keyId) });
  });

  it.each<[mistake: string, args: string[], message: string, machine?: Machine]>([
    [
      'a key for a keyId, without printing it',
      ['revoke', generateApiKey('staging')],
      'There is no key petstore_staging_… in staging: run list to see the key ids.',
    ],
    [
      'a stage that is not deployed',
      ['list', '--stage', 'production'],
      'The stage production is not deployed here: run npx cdk deploy PetStore-production first.',
      atAwsEndpoint,
    ],
    [
      'no credentials',
      ['list', '--stage', 'staging'],
      'There are no AWS credentials: set AWS_PROFILE, or sign in with aws login.',
      { environment: { AWS_REGION: 'eu-central-1' } },
    ],
  ])('reports %s in one line', async (_mistake, args, message, machine) => {
    const outcome = await run(args, machine);

    expect(outcome).toStrictEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` });
  });
});

it('a local stage is rejected if BASE_URL is deployed', async () => {
  const environment = { BASE_URL: 'https://abc.execute-api.eu-central-1.amazonaws.com/v1' };

  expect((await keys(['list'], { environment })).stderr).toBe(
    'error: BASE_URL is not the local API: pass --stage with the name of the deployed stage.\n',
  );
});

describe('npm start -- --json', () => {
  it('logs the client of each call, or why its key was rejected', async () => {
    const { key, keyId } = await issue(Number(port), 'initech');
    const lineOf = async (path: string, authorization: string) => {
      const { headers } = await get(path, authorization);
      const line = new RegExp(`^.*"${headers['x-amzn-requestid']}".*$`, 'm');
      return vi.waitFor(() => JSON.parse(line.exec(printed())?.[0] ?? ''));
    };
    const refused = { client: '-', keyId: '-', method: 'GET', path: '/pets', status: 401 };

    expect([
      await lineOf('/pets/12?limit=1', `Bearer ${key}`),
      await lineOf('/pets', 'Bearer x'),
      await lineOf('/pets', `Bearer ${generateApiKey('staging')}`),
    ]).toMatchObject([
      { ...refused, client: 'initech', keyId, path: '/pets/{petId}', status: 404, authorizerError: '-' },
      { ...refused, authorizerError: 'the token does not match the validation expression' },
      { ...refused, authorizerError: 'the policy denies the request' },
    ]);
  });

  it('logs no key, wherever a client sends it', async () => {
    const { key } = await issue(Number(port), 'umbrella');

    await expectNoKeyPrinted(Number(port), key, printed);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operatorArn } from '../../../infra/local/template/account.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import type { Machine, Outcome } from '../../support/local/command-process.ts';
import { type RunningApi, startLocalApi } from '../../support/local/local-process.ts';
import { issue, keys } from '../../support/local/operator.ts';
import { expectNoKey, sendEverywhere } from '../../support/local/send-everywhere.ts';

let api: RunningApi;
let port: string;
/** The first key of acme, good from its first test on. */
let first: { key: string; keyId: string };

beforeAll(async () => {
  api = await startLocalApi('--pets', '0');
  ({ port } = new URL(api.baseUrl));
}, 120_000);
afterAll(() => api.process.exit('SIGTERM'));

/** The environment of an operator for whom the local API is AWS. */
const atAwsEndpoint = () => ({
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/_aws`,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'operator',
  AWS_SECRET_ACCESS_KEY: 'none',
});

/** Lists pets with a key. */
const listPets = (key: string) => get('/pets', `Bearer ${key}`);

const get = (path: string, Authorization: string) => api.call('GET', path, { headers: { Authorization } });

/** What a command has printed, provided that it went well. */
function printedBy({ exitCode, stdout, stderr }: Outcome): string {
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return stdout;
}

const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

describe('npm run keys takes a key through its life: it', { timeout: 60_000 }, () => {
  const run = (args: readonly string[], input?: string) => keys([...args, '--port', port], { input });

  let second: { key: string; keyId: string };

  it('issues a key that is good', async () => {
    const flags = ['--client', 'acme', '--expires', '90d', '--note', '\u001b[2Jtill', '--json'];
    const printed = printedBy(await run(['issue', ...flags]));

    first = JSON.parse(printed);
    expect(first).toStrictEqual({
      key: expect.stringMatching(/^petstore_staging_[0-9A-Za-z]{38}$/),
      keyId: expect.stringMatching(/^[0-9a-f]{12}$/),
      client: 'acme',
      expires: instant,
    });
    expect(printed).toBe(`${JSON.stringify(first)}\n`);
    expect(await listPets(first.key)).toMatchObject({ status: 200, text: '[]' });
  });

  it('rotates the key, leaves both good, and tells that the new one will not be shown again', async () => {
    const printed = printedBy(await run(['rotate', first.keyId, '--overlap', '7d', '--expires', 'never']));

    const [, key = '', keyId = ''] =
      /^(petstore_staging_\w{38})\n\nThis is the key (\w{12}) of acme; it expires never\. It will not be shown again\.\nThe old key \w{12} expires at \S+Z\.\n$/.exec(
        printed,
      ) ?? [];
    second = { key, keyId };
    expect(await listPets(first.key)).toMatchObject({ status: 200 });
    expect(await listPets(second.key)).toMatchObject({ status: 200 });
  });

  it('revokes a key, which is refused at once where it was never used', async () => {
    const third = await issue(port, 'acme');

    const printed = printedBy(await run(['revoke', third.keyId]));

    expect(printed).toBe(
      `Revoked ${third.keyId} of acme. It may still work for 60 seconds, while a response of the authorizer is cached.\n`,
    );
    expectError(await listPets(third.key), 401, 'unauthorized');
    expect(await run(['verify'], third.key)).toStrictEqual({
      exitCode: 1,
      stdout: `${third.keyId} of acme is not good: revoked, expires never.\n`,
      stderr: '',
    });
  });

  it('lists what became of the keys, and who did it, from a stage at AWS_ENDPOINT_URL too', async () => {
    const args = ['list', '--client', 'acme', '--json', '--stage', 'staging'];
    const listed = JSON.parse(printedBy(await keys(args, { environment: atAwsEndpoint() })));

    expect(listed).toHaveLength(3);
    expect(listed).toContainEqual({
      keyId: first.keyId,
      client: 'acme',
      created: instant,
      expires: instant,
      state: 'expiring',
      note: '\u001b[2Jtill',
      revoked: null,
      issuedBy: operatorArn,
      rotatedBy: operatorArn,
      revokedBy: null,
    });
    expect(listed).toContainEqual(
      expect.objectContaining({ state: 'revoked', revoked: instant, revokedBy: operatorArn }),
    );
  });

  it('lists them for a person', async () => {
    const printed = printedBy(await run(['list']));

    expect(printed).toMatch(/^KEY ID {8}CLIENT {2}CREATED /);
    expect(printed.split('\n').find((line) => line.startsWith(first.keyId))).toMatch(
      / expiring within 14 days {2}user\/operator +\\u001b\[2Jtill *$/,
    );
  });
});

describe('npm run keys', { concurrent: true, timeout: 60_000 }, () => {
  const key = generateApiKey('staging');

  it.each<[mistake: string, args: string[], message: string, environment?: () => Machine['environment']]>([
    [
      'a key for a keyId, without printing it',
      ['revoke', key],
      'No key petstore_staging_… of staging: list shows the keyIds.',
    ],
    ['nothing to revoke', ['revoke'], 'Give either a keyId or --from-table.'],
    ['an unknown table', ['revoke', '--from-table', 'none'], 'There is no such table: check its name.'],
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
      () => ({ AWS_REGION: 'eu-central-1' }),
    ],
  ])('tells of %s in one line', async (_mistake, args, message, environment) => {
    const outcome = await keys([...args, '--port', port], { environment: environment?.() });

    expect(outcome).toStrictEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` });
  });
});

describe('the access log', () => {
  /** The line of a request with an Authorization header. */
  async function lineOf(path: string, authorization: string): Promise<unknown> {
    const { headers } = await get(path, authorization);
    const requestId = headers['x-amzn-requestid'];
    const [line] = await api.process.printed('stderr', new RegExp(`^.*"${requestId}".*$`, 'm'));
    return JSON.parse(line);
  }

  it('tells who called what, and what came of it', async () => {
    const { key, keyId } = first;

    expect(await lineOf('/pets/12?limit=1', `Bearer ${key}`)).toMatchObject({
      method: 'GET',
      client: 'acme',
      keyId,
      path: '/pets/{petId}',
      status: 404,
      authorizerError: '-',
    });
  });

  it.each([
    ['has not the form of one', 'Bearer x', 'no token of the expected form'],
    ['was never issued', `Bearer ${generateApiKey('staging')}`, 'the policy denies it'],
  ])('tells why a key is refused that %s', async (_title, authorization, authorizerError) => {
    expect(await lineOf('/pets', authorization)).toMatchObject({
      client: '-',
      keyId: '-',
      path: '/pets',
      status: 401,
      authorizerError,
    });
  });
});

describe('what the local API prints with --json', () => {
  it('holds no key, wherever a client sends it', async () => {
    const { key } = first;

    const requestIds = await sendEverywhere(port, key);

    expectNoKey(key, requestIds, await api.process.exit('SIGTERM'));
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import type { Machine, Outcome } from '../../support/local/command-process.ts';
import { LocalProcess, type RunningApi, startLocalApi } from '../../support/local/local-process.ts';
import { issue, keys } from '../../support/local/operator.ts';
import { expectNoKey, sendEverywhere } from '../../support/local/send-everywhere.ts';

const forPerson = new LocalProcess(['--port', '0', '--pets', '0']);
let api: RunningApi;
let port: string;

beforeAll(async () => {
  api = await startLocalApi('--pets', '0');
  ({ port } = new URL(api.baseUrl));
});
afterAll(async () => {
  await Promise.all([forPerson.exit('SIGTERM'), api.process.exit('SIGTERM')]);
});

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

describe.concurrent.each<
  [where: string, client: string, flags: () => string[], environment: () => Machine['environment']]
>([
  ['on the local API at --port', 'acme', () => ['--port', port], () => undefined],
  ['on a stage at AWS_ENDPOINT_URL', 'globex', () => ['--stage', 'staging'], atAwsEndpoint],
])('npm run keys %s', (_where, client, flags, environment) => {
  describe('takes a key through its life: it', { concurrent: false }, () => {
    const run = (args: readonly string[], input?: string) =>
      keys([...args, ...flags()], { environment: environment(), input });

    let first: { key: string; keyId: string; expires: string };
    let second: { key: string; keyId: string };
    let third: { key: string; keyId: string };

    it('issues a key that is good', async () => {
      const printed = printedBy(
        await run(['issue', '--client', client, '--expires', '90d', '--note', 'till 1', '--json']),
      );

      first = JSON.parse(printed);
      expect(first).toStrictEqual({
        key: expect.stringMatching(/^petstore_staging_[0-9A-Za-z]{38}$/),
        keyId: expect.stringMatching(/^[0-9a-f]{12}$/),
        client,
        expires: instant,
      });
      expect(printed).toBe(`${JSON.stringify(first)}\n`);
      expect(await listPets(first.key)).toMatchObject({ status: 200, text: '[]' });
    });

    it('lists the key', async () => {
      const listed = JSON.parse(printedBy(await run(['list', '--client', client, '--json'])));

      const { keyId, expires } = first;
      expect(listed).toStrictEqual([
        { keyId, client, created: instant, expires, state: 'active', note: 'till 1' },
      ]);
    });

    it('rotates the key, and leaves both good', async () => {
      second = JSON.parse(printedBy(await run(['rotate', first.keyId, '--overlap', '7d', '--json'])));

      expect(second).toMatchObject({ client, expires: null });
      expect(await listPets(first.key)).toMatchObject({ status: 200 });
      expect(await listPets(second.key)).toMatchObject({ status: 200 });
    });

    it('tells a person that a key will not be shown again', async () => {
      const printed = printedBy(await run(['issue', '--client', client]));

      const [, key = '', keyId = ''] =
        /^(petstore_staging_\w{38})\n\nThis is the key (\w{12}) /.exec(printed) ?? [];
      expect(printed).toBe(
        `${key}\n\nThis is the key ${keyId} of ${client}; it expires never. It will not be shown again.\n`,
      );
      third = { key, keyId };
    });

    it('revokes a key, which is refused at once where it was never used', async () => {
      const printed = printedBy(await run(['revoke', third.keyId]));

      expect(printed).toBe(
        `Revoked ${third.keyId} of ${client}. It may still work for 60 seconds, while an answer of the authorizer is cached.\n`,
      );
      expectError(await listPets(third.key), 401, 'unauthorized');
    });

    it('verifies keys from standard input', async () => {
      const [good, revoked] = [await run(['verify'], second.key), await run(['verify'], `${third.key}\n`)];

      expect(printedBy(good)).toBe(`${second.keyId} of ${client} is good: active, expires never.\n`);
      expect(revoked).toStrictEqual({
        exitCode: 1,
        stdout: `${third.keyId} of ${client} is not good: revoked, expires never.\n`,
        stderr: '',
      });
    });

    it('lists for a person what became of the keys', async () => {
      const printed = printedBy(await run(['list', '--client', client]));

      const [head, ...rows] = printed
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => line.trimEnd().split(/ {2,}/));
      expect(head).toStrictEqual(['KEY ID', 'CLIENT', 'CREATED', 'EXPIRES', 'STATE', 'NOTE']);
      expect(rows).toHaveLength(3);
      expect(rows).toContainEqual([
        first.keyId,
        client,
        instant,
        instant,
        'expiring within 14 days',
        'till 1',
      ]);
      expect(rows).toContainEqual([second.keyId, client, instant, 'never', 'active', 'till 1']);
      expect(rows).toContainEqual([third.keyId, client, instant, 'never', 'revoked']);
    });
  });
});

describe.concurrent('npm run keys -- --help', () => {
  it('names the commands', async () => {
    const printed = printedBy(await keys(['--help']));

    expect(printed).toMatch(/^Usage: npm run keys -- /);
    expect([...printed.matchAll(/^ {2}(\w+) \[options\]/gm)].map(([, command]) => command)).toStrictEqual([
      'issue',
      'list',
      'rotate',
      'revoke',
      'verify',
    ]);
  });
});

describe.concurrent('a mistake with npm run keys', () => {
  it.each<[mistake: string, args: string[], message: string, environment?: () => Machine['environment']]>([
    [
      'an unknown client',
      ['list', '--client', 'nobody'],
      'No client nobody has a key of staging: list shows who has, issue gives one.',
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
      () => ({ AWS_REGION: 'eu-central-1' }),
    ],
  ])('such as %s is told in one line', async (_mistake, [command = '', ...args], message, environment) => {
    const outcome = await keys([command, '--port', port, ...args], { environment: environment?.() });

    expect(outcome).toStrictEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` });
  });

  const key = generateApiKey('staging');

  it.each(['verify', 'revoke'])(
    'such as a key for an argument of %s does not print the key',
    async (command) => {
      const { exitCode, stdout, stderr } = await keys([command, key, '--port', port]);

      expect(exitCode).toBe(1);
      expect(stdout).toBe('');
      expect(stderr).toMatch(/^error: .+\n$/);
      expect(stderr).not.toContain(key.slice(-38));
    },
  );
});

describe('the access log', () => {
  /** The line of a request with an Authorization header. */
  async function lineOf(path: string, authorization: string): Promise<unknown> {
    const { headers } = await get(path, authorization);
    const requestId = headers['x-amzn-requestid'];
    const [line] = await api.process.printed('stderr', new RegExp(`^.*"${requestId}".*$`, 'm'));
    return JSON.parse(line);
  }

  const always = {
    requestId: expect.any(String),
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    method: 'GET',
    latency: expect.stringMatching(/^\d+$/),
  };

  it('tells who called what, and what came of it', async () => {
    const { key, keyId } = await issue(port, 'acme');

    expect(await lineOf('/pets/12?limit=1', `Bearer ${key}`)).toStrictEqual({
      ...always,
      client: 'acme',
      keyId,
      path: '/pets/{petId}',
      status: '404',
      authorizerError: '-',
    });
  });

  it.each([
    ['has not the form of one', 'Bearer x', 'no token of the expected form'],
    ['was never issued', `Bearer ${generateApiKey('staging')}`, 'the policy denies it'],
  ])('tells why a key is refused that %s', async (_title, authorization, authorizerError) => {
    expect(await lineOf('/pets', authorization)).toStrictEqual({
      ...always,
      client: '-',
      keyId: '-',
      path: '/pets',
      status: '401',
      authorizerError,
    });
  });
});

describe('what the local API prints, wherever a client sends its key,', () => {
  it('holds no key with --json', async () => {
    const { key } = await issue(port, 'acme');

    const requestIds = await sendEverywhere(port, key);

    expectNoKey(key, requestIds, await api.process.exit('SIGTERM'));
  });

  it('holds no key for a person', async () => {
    const [, portForPerson = ''] = await forPerson.printed(
      'stdout',
      /Base URL +http:\/\/127\.0\.0\.1:(\d+)\/v1\n/,
    );
    const { key } = await issue(portForPerson, 'acme');

    const requestIds = await sendEverywhere(portForPerson, key);

    expectNoKey(key, requestIds, await forPerson.exit('SIGTERM'));
  });
});

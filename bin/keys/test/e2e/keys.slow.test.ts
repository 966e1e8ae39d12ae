import { readFileSync } from 'node:fs';
import { describe, expect, inject, it, vi } from 'vitest';
import { stages } from '../../../../infra/settings/stages.ts';
import { createPath, path } from '../../../../test/support/contract/own-operations.ts';
import { baseUrl, call } from '../../../../test/support/e2e/api-client.ts';
import { expectError } from '../../../../test/support/e2e/expect-error.ts';
import { sendBytes } from '../../../../test/support/http/send-bytes.ts';
import { defaultStage } from '../../../cli/default-address.ts';
import { runCommand } from '../../../cli/test/support/command-process.ts';
import { operatorArn } from '../../../local-api/template/account.ts';
import type { ListedKey } from '../../key-state.ts';
import { issue } from '../support/issue.ts';

const port = Number(new URL(baseUrl).port);
const atLocalApi = { BASE_URL: baseUrl };

/** The environment of an operator whose AWS is the local API. */
const atAwsEndpoint = {
  AWS_ENDPOINT_URL: `http://127.0.0.1:${port}/_aws`,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'operator',
  AWS_SECRET_ACCESS_KEY: 'none',
};

const get = (path: string, Authorization: string) => call('GET', path, { headers: { Authorization } });

describe('npm run keys', () => {
  const run = (args: readonly string[], environment: Record<string, string> = atLocalApi, input = '') =>
    runCommand('bin/keys/keys.ts', args, { environment, input });

  it('lists an issued key after its rotation', async () => {
    const flags = ['--client', 'acme', '--expires', '90d', '--note', '\u009b2Jtill', '--json'];
    const { key, keyId } = JSON.parse((await run(['issue', ...flags])).stdout);
    const rotated = await run(['rotate', keyId, '--overlap', '7d', '--expires', 'never']);
    const json = await run(['list', '--client', 'acme', '--json', '--stage', defaultStage], atAwsEndpoint);
    const table = await run(['list']);

    const [, newKey = '', address, ofAddress] =
      /^(petstore_[a-z]+_\w{38})\n\nThis is key \w{12} of acme \(expires: never\)\. It will not be shown again\. Only the local API accepts it: for a deployed stage, pass --stage\.\n\nexport BASE_URL=(\S+)\nexport API_KEY=(\S+)\n\nThe old key \w{12} expires at \S+Z\.\n$/.exec(
        rotated.stdout,
      ) ?? [];
    expect([address, ofAddress]).toEqual([baseUrl, newKey]);
    for (const valid of [key, newKey]) expect((await get(path, `Bearer ${valid}`)).status).toBe(200);
    expect(json.stdout).not.toContain('\u009b');
    const listed: ListedKey[] = JSON.parse(json.stdout);
    // Both can have been issued in the same second.
    expect(listed.toSorted((a, b) => a.state.localeCompare(b.state))).toMatchObject([
      { client: 'acme', state: 'active', expires: null, revoked: null },
      { keyId, state: 'expiring', note: '\u009b2Jtill', issuedBy: operatorArn, rotatedBy: operatorArn },
    ]);
    expect(table.stdout).toMatch(
      new RegExp(`^${keyId} .+ expiring {2}user/operator +\\\\u009b2Jtill *$`, 'm'),
    );
  });

  it('revokes a key, which is rejected immediately if it was never used', async () => {
    const { key, keyId } = await issue(port, 'globex');

    const revoked = await run(['revoke', keyId]);
    const verified = await run(['verify'], atLocalApi, key);

    expect(revoked.stdout).toBe(
      `Revoked ${keyId} of globex. It may still work for 60 seconds, while API Gateway caches the authorizer's response.\n`,
    );
    expect(verified).toMatchObject({
      exitCode: 1,
      stdout: `${keyId} of globex is not valid: revoked, expires: never.\n`,
    });
    expectError(await get(path, `Bearer ${key}`), 401, 'unauthorized');
  });

  it('reports in one line why it cannot list keys', async () => {
    const failed = await run(['list', '--stage', 'nowhere'], atAwsEndpoint);

    const names = Object.keys(stages).join(' or ');
    const stderr = `error: infra/settings/stages.ts has no stage "nowhere": choose ${names}.\n`;
    expect(failed).toStrictEqual({ exitCode: 1, stdout: '', stderr });
  });
});

const base64 = (secret: string) => Buffer.from(secret).toString('base64url');

/** Returns requests with a key in every place that the API reads. */
const requestsWith = (key: string): readonly [path: string, init?: RequestInit][] => [
  [`/v1${path}?${key.replaceAll('_', '%5F')}`],
  [`/v1${path}?cursor=${base64(key)}`],
  [`/${key}${path}`],
  [`/v1${path}`, { headers: { 'User-Agent': key, 'X-Amzn-Trace-Id': key } }],
  [`/v1${path}`, { headers: { Authorization: `Basic ${base64(key)}` } }],
  [`/v1${createPath}`, { method: 'POST', headers: { 'Idempotency-Key': `"${key}` }, body: '{}' }],
  [`/v1${createPath}`, { method: 'POST', body: key }],
  [`/v1${createPath}`, { method: 'POST', body: `{"${key}":"${key}"}` }],
];

describe('npm start -- --json', () => {
  it('logs every request, but no key, wherever a client sends it', async () => {
    const { key } = await issue(port, 'umbrella');
    const authorized = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };

    await fetch(new URL('/_aws/', baseUrl), {
      method: 'POST',
      headers: { Authorization: 'AWS4-HMAC-SHA256' },
      body: `Action=DescribeStacks&StackName=${key}`,
    });
    await sendBytes(port, `${key} /v1${path} HTTP/1.1\r\n\r\n`);
    await sendBytes(port, `GET /v1${path} HTTP/1.1\r\n${key}\r\n\r\n`);
    const requestIds: string[] = [];
    for (const [path, init] of requestsWith(key)) {
      const headers = { ...authorized, ...init?.headers };
      const response = await fetch(new URL(path, baseUrl), { ...init, headers });
      requestIds.push(String(response.headers.get('x-amzn-requestid')));
    }

    const lines = await vi.waitFor(
      () => {
        const text = readFileSync(inject('localApi').log, 'utf8');
        expect(requestIds.filter((id) => !text.includes(id))).toStrictEqual([]);
        return text.split('\n');
      },
      { timeout: 20_000 },
    );
    const secrets = [key.slice(-38), base64(key)];
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toStrictEqual([]);
  });
});

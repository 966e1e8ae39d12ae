import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/e2e/api-client.ts';
import type { ApiResponse } from '../../support/e2e/conformance.ts';
import { LocalProcess } from '../../support/local/local-process.ts';
import { issue } from '../../support/local/operator.ts';
import { expectNoKey, sendEverywhere } from '../../support/local/send-everywhere.ts';

const greetingPattern =
  /^Pet Store is ready\. .+:\n\n(?<exports> {2}export BASE_URL=(?<baseUrl>\S+)\n {2}export API_KEY=(?<apiKey>\S+)\n)\nList, create, get:\n\n(?<lines>(?: {2}curl .+\n){3})\nReference: (?<docsUrl>\S+)\n/;

describe('npm start -- --pets 3', () => {
  const local = new LocalProcess(['--port', '0', '--pets', '3']);
  let baseUrl: string;
  let apiKey: string;
  let docsUrl: string;
  let lines: string[];
  let exports: string;

  beforeAll(async () => {
    const { groups } = await local.printed('stdout', greetingPattern);
    baseUrl = groups?.['baseUrl'] ?? '';
    apiKey = groups?.['apiKey'] ?? '';
    docsUrl = groups?.['docsUrl'] ?? '';
    exports = groups?.['exports'] ?? '';
    lines = groups?.['lines']?.trimEnd().split('\n') ?? [];
  }, 120_000);
  afterAll(() => local.exit('SIGTERM'));

  it('greets with lines to paste, after which three of curl list, create and get', async () => {
    const responses = [];
    for (const line of lines) responses.push(await runCurl(`${exports}${line}`));

    expect(responses.map(({ status }) => status)).toStrictEqual([200, 201, 200]);
    expect(responses[0]?.body).toStrictEqual([expect.objectContaining({ status: 'available' })]);
    expect(responses[1]?.body).toMatchObject({ name: 'Bella', categoryId: 1, status: 'available' });
    expect(responses[2]?.body).toMatchObject({ id: expect.any(Number), name: expect.any(String) });
  });

  it("greets with lines to paste, after which the README's first curl creates a pet", async () => {
    const [, command = ''] = /^\$ (curl .+?[^\\])\n(?! )/ms.exec(readFileSync('README.md', 'utf8')) ?? [];

    const { status, body } = await runCurl(`${exports}${command}`);

    expect(status).toBe(201);
    expect(body).toMatchObject({ name: 'Bella', status: 'available' });
  });

  it('greets with the address of the reference', async () => {
    const response = await fetch(docsUrl);

    await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toMatch(/^text\/html/);
  });

  it.each([
    ['GET', '/pets', '?limit=1', 200],
    ['POST', '/pets', '', 400],
    ['DELETE', '/pets/12', '', 404],
  ])('then prints a line for %s %s', async (method, path, query, status) => {
    const { headers } = await apiClient({ baseUrl, apiKey })(method, `${path}${query}`);

    await local.printed(
      'stdout',
      new RegExp(`^${method} /v1${path} ${status} \\d+ ms ${headers['x-amzn-requestid']}$`, 'm'),
    );
  });

  it('prints no key, wherever a client sends it', { timeout: 60_000 }, async () => {
    const { port } = new URL(baseUrl);
    const { key } = await issue(port, 'acme');

    const requestIds = await sendEverywhere(port, key);

    await local.printed('stdout', /^GET \/v1\/pets\/petstore_staging_… 404 /m);
    expectNoKey(key, requestIds, await local.exit('SIGTERM'));
  });
});

describe('npm start | head', () => {
  it('ends without a word when nobody reads what it prints', async () => {
    const local = new LocalProcess(['--port', '0', '--pets', '0']);
    const { groups } = await local.printed('stdout', greetingPattern);
    local.stopReading();
    await fetch(`${groups?.['baseUrl']}/pets`);

    const { exitCode, stderr } = await local.exit();

    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
  }, 120_000);
});

/** Runs lines of curl as sh reads them, with fetch in the place of curl, which not every machine has. */
async function runCurl(lines: string): Promise<ApiResponse> {
  const printed = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${lines}`], {
    encoding: 'utf8',
  });
  const words = printed.split('\0').slice(0, -1);
  const url = words.find((word) => word.startsWith('http')) ?? '';
  const valuesOf = (flag: string) => words.filter((_word, index) => words[index - 1] === flag);
  const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ', 2)));
  const [body] = valuesOf('-d');
  const call = apiClient({ baseUrl: '', apiKey: '' });
  return call(body === undefined ? 'GET' : 'POST', url, {
    headers: { Authorization: undefined, 'Content-Type': undefined, ...headers },
    body,
  });
}

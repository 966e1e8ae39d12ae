import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/e2e/api-client.ts';
import type { ApiResponse } from '../../support/e2e/conformance.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { issue } from '../../support/local/keys.ts';
import { expectNoKeyPrinted } from '../../support/local/send-everywhere.ts';

const greetingPattern =
  /^Pet Store is ready\. .+:\n\n(?<exports> {2}export BASE_URL=(?<baseUrl>\S+)\n {2}export API_KEY=(?<apiKey>\S+)\n)\nList, create, get:\n\n(?<lines>(?: {2}curl .+\n){3})\nReference: (?<docsUrl>\S+)\n/;

describe('npm start -- --pets 3', () => {
  const local = new CommandProcess('bin/local.ts', ['--port', '0', '--pets', '3']);
  let greeting: Readonly<Record<string, string>>;

  beforeAll(async () => {
    greeting = { ...(await local.printed('stdout', greetingPattern)).groups };
  }, 120_000);
  afterAll(() => local.exit('SIGTERM'));

  it("greets with lines to paste, after which three of curl and the README's first one work, and with the reference", async () => {
    const { exports = '', lines = '', docsUrl = '' } = greeting;
    const [, inReadme = ''] = /^\$ (curl .+?[^\\])\n(?! )/ms.exec(readFileSync('README.md', 'utf8')) ?? [];

    const responses = [];
    for (const line of [...lines.trimEnd().split('\n'), inReadme])
      responses.push(await runCurl(`${exports}${line}`));

    const bella = { id: expect.any(Number), name: 'Bella', categoryId: 1, status: 'available' };
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [200, [bella]],
      [201, bella],
      [
        200,
        { ...bella, name: expect.any(String), categoryId: expect.any(Number), status: expect.any(String) },
      ],
      [201, { ...bella, categoryId: expect.any(Number) }],
    ]);
    expect(await (await fetch(docsUrl)).text()).toMatch(/^<!doctype html>/i);
  });

  it('then prints a line for each request, and no key, wherever a client sends it', async () => {
    const { baseUrl = '', apiKey = '' } = greeting;
    const port = Number(new URL(baseUrl).port);
    const { key } = await issue(port, 'acme');

    const { headers } = await apiClient({ baseUrl, apiKey })('GET', '/pets?limit=1');
    await expectNoKeyPrinted(port, key, () => local.output);

    expect(local.output).toMatch(
      new RegExp(`^GET /v1/pets 200 \\d+ ms ${headers['x-amzn-requestid']}$`, 'm'),
    );
    expect(local.output).toMatch(/^GET \/v1\/pets\/petstore_staging_… 404 /m);
  });

  it('ends without a word when nobody reads what it prints, as in npm start | head', async () => {
    local.stopReading();
    await fetch(`${greeting['baseUrl']}/pets`);

    expect(await local.exit()).toMatchObject({ exitCode: 0, stderr: '' });
  });
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

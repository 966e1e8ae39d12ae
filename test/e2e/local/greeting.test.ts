import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { examplePet } from '../../../shared/contract/operations.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import type { ApiResponse } from '../../support/e2e/conformance.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { issue } from '../../support/local/keys.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';
import { expectNoKeyPrinted } from '../../support/local/send-everywhere.ts';

const greetingPattern =
  /^Pet Store is ready\. .+:\n\n(?<exports> {2}export BASE_URL=(?<baseUrl>\S+)\n {2}export API_KEY=(?<apiKey>\S+)\n)\nor, .+\n\nList, create, get:\n\n(?<lines>(?: {2}curl .+\n){3})\nReference: (?<docsUrl>\S+)\n/;

describe('npm start -- --pets 3', () => {
  // A copy, because it writes .env.local.
  const project = new ProjectCopy();
  const local = new CommandProcess('bin/local.ts', ['--port', '0', '--pets', '3'], {
    project: project.directory,
  });
  let greeting: Readonly<Record<string, string>>;

  beforeAll(async () => {
    greeting = { ...(await local.printed('stdout', greetingPattern)).groups };
  }, 120_000);
  afterAll(async () => {
    await local.exit('SIGTERM');
    project.remove();
  });

  it("greets with lines to paste, after which three of curl and the README's first one work, and with the reference", async () => {
    const { exports = '', lines = '', docsUrl = '' } = greeting;
    const [, inReadme = ''] = /^\$ (curl .+?[^\\])\n(?! )/ms.exec(readFileSync('README.md', 'utf8')) ?? [];

    const responses = [];
    for (const line of [...lines.trimEnd().split('\n'), inReadme])
      responses.push(await runCurl(`${exports}${line}`));

    const bella = { ...JSON.parse(stringifyJson(examplePet)), id: expect.any(Number) };
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

  it('writes the address and the key to .env.local, for this user alone', () => {
    const file = project.path('.env.local');

    const { baseUrl, apiKey } = greeting;
    expect(readFileSync(file, 'utf8')).toBe(`BASE_URL=${baseUrl}\nAPI_KEY=${apiKey}\n`);
    // Windows has no modes.
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('then prints a line for each request, and no key, wherever a client sends it', async () => {
    const { baseUrl = '', apiKey = '' } = greeting;
    const port = Number(new URL(baseUrl).port);
    const { key } = await issue(port, 'acme');

    const { headers } = await apiClient({ baseUrl, apiKey })('GET', '/pets?limit=1');
    await expectNoKeyPrinted(port, key, () => local.output);

    expect(local.output).toMatch(
      new RegExp(`^GET /v1/pets\\?limit=1 200 \\d+ ms ${headers['x-amzn-requestid']}$`, 'm'),
    );
    expect(local.output).toMatch(/^GET \/v1\/pets\/petstore_staging_… 404 /m);
  });

  it('ends without a word when nobody reads what it prints, as in npm start | head', async () => {
    local.stopReading();
    await fetch(`${greeting['baseUrl']}/pets`);

    expect(await local.exit()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

/** Runs lines of curl as a shell reads them, with fetch in place of curl: not every machine has either. */
async function runCurl(lines: string): Promise<ApiResponse> {
  const variables = Object.fromEntries(
    Array.from(lines.matchAll(/export (\w+)=(\S+)/g), ([, name = '', value]) => [name, value]),
  );
  const command = lines.slice(lines.indexOf('curl ')).replaceAll('\\\n', '');
  const words = Array.from(
    command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g),
    ([, literal, quoted, bare]) =>
      literal ?? `${quoted ?? bare}`.replaceAll(/\$(\w+)/g, (_variable, name) => variables[name] ?? ''),
  );
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

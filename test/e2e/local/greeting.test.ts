import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { examplePet } from '../../../shared/contract/operations.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { issue } from '../../support/local/keys.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';
import { expectNoKeyPrinted } from '../../support/local/send-everywhere.ts';

const greetingPattern =
  /^Pet Store is ready\. .+:\n\n {2}export BASE_URL=(?<baseUrl>\S+)\n {2}export API_KEY=(?<apiKey>\S+)\n\nor, .+\n\nList, create, get:\n\n(?<lines>(?: {2}curl .+\n){3})\nReference: (?<docsUrl>\S+)\n/;

describe('npm start -- --pets 3', () => {
  // A copy, because it writes .env.local.
  const project = new ProjectCopy();
  const local = new CommandProcess('bin/local.ts', ['--port', '0', '--pets', '3'], {
    project: project.directory,
  });
  const greeting = { baseUrl: '', apiKey: '', lines: '', docsUrl: '' };

  beforeAll(async () => {
    Object.assign(greeting, (await local.printed('stdout', greetingPattern)).groups);
  }, 120_000);
  afterAll(async () => {
    await local.exit('SIGTERM');
    project.remove();
  });

  it('prints lines of curl that work as they are, like the first one in README', async () => {
    const [inReadme = ''] =
      /curl [^$]+\$BASE_URL\/pets (?:.+\\\n)?.+/.exec(readFileSync('README.md', 'utf8')) ?? [];

    const responses = [];
    for (const line of [...greeting.lines.trimEnd().split('\n'), inReadme])
      responses.push(await runCurl(line));

    const bella = { ...JSON.parse(stringifyJson(examplePet)), id: expect.any(Number) };
    const samplePet = expect.objectContaining({ name: 'Bella' });
    expect(greeting.docsUrl).toBe(new URL('/', greeting.baseUrl).href);
    expect(responses.map(({ status, body }) => [status, body])).toEqual([
      [200, [bella]],
      [201, bella],
      [200, samplePet],
      [201, { ...bella, categoryId: expect.any(Number) }],
    ]);
  });

  it('writes the address and the key to .env.local, for this user alone', () => {
    const file = project.path('.env.local');

    const { baseUrl, apiKey } = greeting;
    expect(readFileSync(file, 'utf8')).toBe(`BASE_URL=${baseUrl}\nAPI_KEY=${apiKey}\n`);
    // Windows has no modes.
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('prints a line per request, and no key, wherever a client sends it', async () => {
    const port = Number(new URL(greeting.baseUrl).port);
    const { key } = await issue(port, 'acme');

    const { headers } = await apiClient(greeting)('GET', '/pets?limit=1');
    await expectNoKeyPrinted(port, key, () => local.output);

    expect(local.output).toMatch(
      new RegExp(`^GET /v1/pets\\?limit=1 200 \\d+ ms ${headers['x-amzn-requestid']}$`, 'm'),
    );
    expect(local.output).toMatch(/^GET \/v1\/pets\/petstore_staging_… 404 /m);
  });

  it('ends quietly when nobody reads what it prints, as in npm start | head', async () => {
    local.stopReading();
    await fetch(`${greeting.baseUrl}/pets`);

    expect(await local.exit()).toMatchObject({ exitCode: 0, stderr: '' });
  });

  /** Runs a line of curl as a shell does, but with fetch: not every machine has a shell or curl. */
  function runCurl(line: string) {
    const { baseUrl, apiKey } = greeting;
    const command = line
      .replaceAll('\\\n', '')
      .replaceAll('$BASE_URL', baseUrl)
      .replaceAll('$API_KEY', apiKey);
    const words = Array.from(command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g), (match) =>
      match.slice(1).join(''),
    );
    const valuesOf = (flag: string) => words.filter((_word, index) => words[index - 1] === flag);
    const [body] = valuesOf('-d');
    const url = words.find((word) => word.startsWith(baseUrl)) ?? '';
    const headers = Object.fromEntries(valuesOf('-H').map((header) => header.split(': ', 2)));
    return apiClient({ baseUrl: '', apiKey: '' })(body === undefined ? 'GET' : 'POST', url, {
      headers: { Authorization: undefined, 'Content-Type': undefined, ...headers },
      body,
    });
  }
});

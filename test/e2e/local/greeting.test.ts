import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiClient } from '../../support/e2e/api-client.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

describe('npm start -- --pets 3', () => {
  // A copy: npm start writes .env.local.
  const project = new ProjectCopy();
  const local = new CommandProcess('bin/local.ts', ['--port', '0', '--pets', '3'], {
    project: project.directory,
  });
  const address = { baseUrl: '', apiKey: '' };

  beforeAll(async () => {
    const [, baseUrl, apiKey] = await local.printed(
      'stdout',
      /^Pet Store is ready\. .+:\n\n.*BASE_URL[ =']+([^\s']+).*\n.*API_KEY[ =']+(\w+)[\s\S]+Reference: \S+\n/,
    );
    Object.assign(address, { baseUrl, apiKey });
  }, 120_000);
  afterAll(async () => {
    await local.exit('SIGTERM');
    project.remove();
  });

  it('names a pet that exists', async () => {
    const [, petId] = /pets\/(\d+)/.exec(local.output) ?? [];

    const { body } = await apiClient(address)('GET', `/pets/${petId}`);

    expect(body).toMatchObject({ id: Number(petId) });
  });

  it('writes the address and the key to .env.local, for this user alone', () => {
    const file = project.path('.env.local');

    const { baseUrl, apiKey } = address;
    expect(readFileSync(file, 'utf8')).toBe(`BASE_URL=${baseUrl}\nAPI_KEY=${apiKey}\n`);
    // Windows has no modes.
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('prints a line per request', async () => {
    const { headers } = await apiClient(address)('GET', '/pets?limit=1');

    const line = `^GET /v1/pets\\?limit=1 200 \\d+ ms ${headers['x-amzn-requestid']}$`;
    await local.printed('stdout', new RegExp(line, 'm'));
  });

  it('exits quietly when its output is closed, as in npm start | head', async () => {
    local.stopReading();
    await fetch(`${address.baseUrl}/pets`);

    expect(await local.exit()).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

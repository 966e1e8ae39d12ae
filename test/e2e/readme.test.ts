import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { temporaryFile } from '../support/catalogue/temporary-file.ts';
import { apiKey, baseUrl } from '../support/e2e/api-client.ts';

const run = promisify(execFile);
const [, snippet = ''] = /```ts\n(.+?)```/s.exec(readFileSync('README.md', 'utf8')) ?? [];

/** The README's TypeScript in a file of its own: what it imports is that of this project. */
function writeSnippet(): string {
  const file = temporaryFile('snippet.mts');
  writeFileSync(file, snippet.replaceAll(/(?<=from ')\.\//g, `${resolve('.')}/`));
  return file;
}

describe("the README's TypeScript", () => {
  it('compiles as strictly as the project', { timeout: 120_000 }, async () => {
    const file = writeSnippet();
    const config = {
      extends: resolve('tsconfig.json'),
      compilerOptions: { typeRoots: [resolve('node_modules/@types')] },
      include: [file],
    };
    writeFileSync(`${dirname(file)}/tsconfig.json`, JSON.stringify(config));

    const { stdout } = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', dirname(file)]);

    expect(stdout).toBe('');
  });

  it('creates a pet and lists it, to the last digit, or tells of a key that is not accepted', async () => {
    const file = writeSnippet();
    const good = await run(process.execPath, [file], { env: { BASE_URL: baseUrl, API_KEY: apiKey } });
    const bad = await run(process.execPath, [file], { env: { BASE_URL: baseUrl, API_KEY: 'none' } });

    expect(good).toEqual({
      stdout: expect.stringMatching(/^\d+ Bella 9223372036854775807\n(\d+ .+ -?\d+\n)+/),
      stderr: '',
    });
    expect(bad).toEqual({
      stdout: '',
      stderr: expect.stringMatching(/^401 unauthorized: A valid API key is required: .+\n$/),
    });
  });
});

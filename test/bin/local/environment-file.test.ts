import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it, vi } from 'vitest';
import { writeEnvironmentFile } from '../../../bin/local/environment-file.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';

const printed = vi.spyOn(console, 'log').mockReturnValue();
afterEach(() => printed.mockClear());

const variables = `BASE_URL=http://127.0.0.1:3000/v1\nAPI_KEY=${generateApiKey('staging')}\n`;

it.each([
  ['replaces an empty file', '', true],
  ['replaces what an earlier start wrote', variables.replace('3000', '4000'), true],
  ['leaves other variables unchanged', `${variables}AWS_PROFILE=staging\n`, false],
  ['leaves a comment unchanged', `# mine\n${variables}`, false],
  ['leaves a deployed stage unchanged', 'BASE_URL=https://pets.example/v1\nAPI_KEY=mine\n', false],
])('writeEnvironmentFile %s', (_title, before, isWritten) => {
  const file = temporaryFile('.env.local');
  writeFileSync(file, before);

  writeEnvironmentFile(file, variables);

  expect(readFileSync(file, 'utf8')).toBe(isWritten ? variables : before);
  const message = 'Your own .env.local is unchanged: add BASE_URL and API_KEY for requests.http.\n';
  expect(printed.mock.calls).toStrictEqual(isWritten ? [] : [[message]]);
});

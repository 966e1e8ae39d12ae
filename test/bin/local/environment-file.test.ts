import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writeEnvironmentFile } from '../../../bin/local/environment-file.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';

const variables = 'BASE_URL=http://127.0.0.1:3000/v1\nAPI_KEY=new\n';

it.each([
  ['no file', undefined],
  ['an empty file', ''],
  [
    'what an earlier start wrote',
    `BASE_URL=http://127.0.0.1:4000/v1\nAPI_KEY=${generateApiKey('staging')}\n`,
  ],
])('writeEnvironmentFile replaces %s', (_title, before) => {
  const file = temporaryFile('.env.local');
  if (before !== undefined) writeFileSync(file, before);

  expect(writeEnvironmentFile(file, variables)).toBe(true);
  expect(readFileSync(file, 'utf8')).toBe(variables);
});

it.each([
  ['other variables', `${variables}AWS_PROFILE=staging\n`],
  ['a comment', `# mine\n${variables}`],
  ['the key of a deployed stage', 'BASE_URL=https://pets.example/v1\nAPI_KEY=mine\n'],
])('writeEnvironmentFile leaves a file with %s unchanged', (_title, before) => {
  const file = temporaryFile('.env.local');
  writeFileSync(file, before);

  expect(writeEnvironmentFile(file, variables)).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(before);
});

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { openApiDocument } from '../../../infra/reference/document.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';

const text = readFileSync('openapi.json', 'utf8');

// Every response in an end-to-end test is compared with it, too.
it('openapi.json is what npm run openapi writes', () => {
  expect(text).toBe(`${stringifyJson(openApiDocument(), 2)}\n`);
});

it('openapi.json passes redocly lint without a warning', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json', '--format', 'json'],
    { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );

  expect(JSON.parse(stdout)).toMatchObject({
    totals: { errors: 0, warnings: 0, ignored: 0 },
    problems: [],
  });
});

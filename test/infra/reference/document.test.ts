import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../../infra/reference/document.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';

const text = readFileSync('openapi.json', 'utf8');

// The responses of every end-to-end test are held against it besides.
describe('openapi.json', () => {
  it('is what npm run openapi writes', () => {
    expect(text).toBe(`${stringifyJson(openApiDocument(), 2)}\n`);
  });

  it('has the bounds of an int64 digit for digit', () => {
    expect(text).toContain('"minimum": -9223372036854775808,');
    expect(text).toContain('"maximum": 9223372036854775807\n');
  });

  it('says that getPet is removed, and that the orders of the store are not specified', () => {
    const { paths, tags } = JSON.parse(text);

    expect(paths['/pets/{petId}'].get).toMatchObject({
      deprecated: true,
      description: expect.stringContaining('it is removed on 5 December 2030'),
    });
    expect(tags).toContainEqual({
      name: 'store',
      description: expect.stringMatching(/`GET \/store\/orders` .* not specified .* 404/),
    });
  });

  it('is without an error or a warning of redocly lint', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['node_modules/.bin/redocly', 'lint', 'openapi.json', '--format', 'json'],
      { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
    );

    expect(JSON.parse(stdout)).toMatchObject({
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  });
});

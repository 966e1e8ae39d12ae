import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { listParts, partInUse, removePart } from '../../../test/support/contract/neutral-operations.ts';
import { temporaryFile } from '../../../test/support/e2e/temporary-file.ts';
import { describeOperation, fillTemplate, openApiDocument } from '../document.ts';
import { headerComponents, responsesOf } from '../responses.ts';

const text = readFileSync('openapi.json', 'utf8');
const baseUrl = 'http://parts.example/v1';

// Every response in an end-to-end test is compared with it, too.
it('openapi.json is what npm run openapi writes', () => {
  expect(text).toBe(`${stringifyJson(openApiDocument(), 2)}\n`);
});

it('the description of a stage has its limits', () => {
  const fairUse = { perKey: 6000, perAddress: 12_000 };

  expect(openApiDocument({ baseUrl, fairUse })).toMatchObject({
    info: {
      description: expect.stringMatching(
        /## Limits\n\nAn API key can send 6,000 requests per minute, an IP address 12,000\. All clients together:\n\n- `[A-Z]+ \/.+`: \d+ requests per second\n/,
      ),
    },
  });
  expect(text).toContain('The `openapi.json` of a stage has its limits.');
});

it('any text is a status in a response, so that a later release can add one', () => {
  expect(JSON.parse(text).components.schemas.Pet.properties.status).toStrictEqual({
    description: expect.stringContaining('Later releases may add values.'),
    type: 'string',
    'x-extensible-enum': expect.arrayContaining(['available']),
  });
});

it('a template with an unknown name is not filled in', () => {
  expect(() => fillTemplate('guide.md', {})).toThrow(
    /^guide\.md has \{\{\w+\}\}, but no value fills it in\.$/,
  );
});

it('openapi.json passes redocly lint without a warning', async () => {
  // It takes a # in the path of the document, as in the project's folder, for a fragment.
  const copy = temporaryFile('openapi.json');
  writeFileSync(copy, text);

  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['node_modules/@redocly/cli/bin/cli.js', 'lint', copy, '--format', 'json'],
    { env: { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' } },
  );

  expect(JSON.parse(stdout)).toMatchObject({
    totals: { errors: 0, warnings: 0, ignored: 0 },
    problems: [],
  });
});

it('describes a deprecated operation with its own dates', () => {
  const deprecation = { since: '2001-02-03T00:00:00Z', sunset: '2004-05-06T00:00:00Z' };
  const deprecated = { ...listParts, deprecation };

  const { responses, ...described } = describeOperation(deprecated, baseUrl);

  expect(described).toMatchObject({
    deprecated: true,
    description: expect.stringContaining('**Deprecated: will be removed on 6 May 2004**'),
  });
  const headers = {
    Deprecation: { $ref: '#/components/headers/listPartsDeprecation' },
    Sunset: { $ref: '#/components/headers/listPartsSunset' },
  };
  const gone = { content: { 'application/json': { examples: { gone: {} } } } };
  expect(responses).toMatchObject({ 200: { headers }, 400: { headers }, 410: gone });
  expect(headerComponents([deprecated], baseUrl)).toMatchObject({
    listPartsDeprecation: { example: '@981158400' },
    listPartsSunset: { example: 'Thu, 06 May 2004 00:00:00 GMT' },
  });
});

it('gives each parameter its example, or the first of its values', () => {
  const { parameters } = describeOperation(listParts, baseUrl);

  expect(parameters).toMatchObject([
    { name: 'machineId', example: 'm7' },
    { name: 'limit', example: 20 },
    { name: 'cursor' },
    { name: 'colour', example: 'red' },
    { name: 'weight', example: 7n },
  ]);
});

it('an operation has the errors of its own service', () => {
  const { 409: response } = responsesOf({ ...removePart, errors: [partInUse] }, baseUrl);

  expect(response).toMatchObject({
    description: '`part_in_use`: The part is in use.',
    content: { 'application/json': { examples: { part_in_use: { value: { status: 409 } } } } },
  });
});

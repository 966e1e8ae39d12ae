import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fillTemplate, openApiDocument } from '../../../infra/reference/document.ts';
import { responsesOf } from '../../../infra/reference/responses.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { partInUse, removePart } from '../../support/contract/neutral-operations.ts';
import { list } from '../../support/contract/own-operations.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';

const text = readFileSync('openapi.json', 'utf8');

// Every response in an end-to-end test is compared with it, too.
it('openapi.json is what npm run openapi writes', () => {
  expect(text).toBe(`${stringifyJson(openApiDocument(), 2)}\n`);
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

it('describes a deprecated operation with its own dates', async () => {
  vi.resetModules();
  // No other file sees the operation that this test changes.
  onTestFinished(() => void vi.resetModules());
  const { operations } = await import('../../../shared/service.ts');
  const deprecation = {
    since: '2001-02-03T00:00:00Z',
    sunset: '2004-05-06T00:00:00Z',
    successor: '/others',
  };
  Object.assign(operations[list.operationId], { deprecation });
  const { openApiDocument: describe } = await import('../../../infra/reference/document.ts');

  const { paths, components } = JSON.parse(stringifyJson(describe()));

  const listed = paths[list.path].get;
  expect(listed.deprecated).toBe(true);
  expect(listed.description).toContain('**Deprecated: will be removed on 6 May 2004**');
  expect(listed.responses['410'].content['application/json'].examples).toHaveProperty('gone');
  const { Deprecation, Sunset } = listed.responses['200'].headers;
  const ofError = listed.responses['400'].headers;
  for (const { Deprecation: since, Sunset: sunset } of [{ Deprecation, Sunset }, ofError]) {
    expect(headerAt(since)).toMatchObject({ example: '@981158400' });
    expect(headerAt(sunset)).toMatchObject({ example: 'Thu, 06 May 2004 00:00:00 GMT' });
  }
  function headerAt({ $ref }: { $ref: string }) {
    return components.headers[$ref.replace('#/components/headers/', '')];
  }
});

it('an operation has the errors of its own service', () => {
  const { 409: response } = responsesOf({ ...removePart, errors: [partInUse] }, 'http://parts.example/v1');

  expect(response).toMatchObject({
    description: '`part_in_use`: The part is in use.',
    content: { 'application/json': { examples: { part_in_use: { value: { status: 409 } } } } },
  });
});

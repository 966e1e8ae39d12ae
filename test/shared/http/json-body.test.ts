import type { Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ApiError } from '../../../shared/contract/error-table.ts';
import { jsonBody } from '../../../shared/http/json-body.ts';
import { eventOf } from '../../support/functions/invoke.ts';

/** Returns the error with which a body is rejected, or undefined if it is not. */
async function rejectionOf(body: string): Promise<ApiError | undefined> {
  const request = { event: eventOf({ body }) } as Request<APIGatewayProxyEvent>;
  try {
    await jsonBody.before?.(request);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error;
  }
}

it.each([
  ['{', 'line 1, column 2'],
  ['{"name": Bella}', 'line 1, column 10'],
  ['{"name":"Bella" "categoryId":1}', 'line 1, column 17'],
  ['{"name":"Bella",}', 'line 1, column 17'],
  ['{\n  "name": "Bella",\r\n  categoryId: 1\n}', 'line 3, column 3'],
  ['{"name":"Bella}', 'line 1, column 9'],
  ['["tab\there"]', 'line 1, column 2'],
  ['["\\x"]', 'line 1, column 2'],
  ['[1,]', 'line 1, column 4'],
  ['[1}', 'line 1, column 3'],
  ['01', 'line 1, column 2'],
  ['1 2', 'line 1, column 3'],
  ["{'name':1}", 'line 1, column 2'],
  ['[nul]', 'line 1, column 2'],
])('says what is wrong in %j at %s', async (body, place) => {
  expect(await rejectionOf(body)).toMatchObject({
    message: `The body must be well-formed JSON: see ${place}.`,
    details: { position: place },
  });
});

it('finds the end of any JSON, whatever its spacing, when something follows', async () => {
  const spacing = fc.constantFrom(0, 1, '\t', '\n');

  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 9 }), spacing, async (value, space) => {
      const lines = JSON.stringify(value, undefined, space).split('\n');
      const place = `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;

      expect(await rejectionOf(`${lines.join('\n')}]`)).toMatchObject({ details: { position: place } });
    }),
  );
});

it('is as strict as JSON.parse', async () => {
  const json = fc.string({ unit: fc.constantFrom(...'[]{}:,"\\ue1-.0+tn '), minLength: 1, maxLength: 8 });

  await fc.assert(
    fc.asyncProperty(json, async (text) => {
      const error = await rejectionOf(text);

      const [, column] = /column (\d+)/.exec(error?.message ?? '') ?? [];
      // All of it may only be well-formed so far.
      if (Number(column) > text.length) {
        expect(() => JSON.parse(text)).toThrow(/end of JSON input|at position \d+ \(/);
      }
    }),
    { numRuns: 2000 },
  );
});

const deep = '['.repeat(33);

it.each([
  [`"${deep}"`, false],
  [`"\\\\\\"${deep}"`, false],
  [`{"${deep}":"${deep}"}`, false],
  [`[${'{}[]'.repeat(33)}]`, false],
  [deep, true],
  [`"\\\\"${deep}`, true],
  [`{"a":[{"b":${deep}`, true],
])('counts open brackets outside of texts: %s', async (body, isDeeper) => {
  const error = await rejectionOf(body);

  expect(error?.message.includes('nested at most 32 levels') ?? false).toBe(isDeeper);
});

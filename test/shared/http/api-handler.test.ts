import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { ApiError } from '../../../shared/contract/errors/error-table.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import type { Operation, ResponseBody } from '../../../shared/contract/operation.ts';
import { createPet, exampleNewPet, examplePet, getPet } from '../../../shared/contract/operations.ts';
import type { Pet } from '../../../shared/contract/schemas/pet.ts';
import { apiHandler, jsonResponse } from '../../../shared/http/api-handler.ts';
import { logInfo } from '../../../shared/lambda/log.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import {
  errorResponse,
  internalError,
  serviceUnavailable,
} from '../../support/functions/expected-response.ts';
import { invoke } from '../../support/functions/invoke.ts';

// Middy takes the console's method when it is loaded: what it logs is seen, too.
vi.hoisted(() => vi.spyOn(console, 'error'));
const log = captureLog();

const invocation = { requestId: expect.any(String), keyId: '0123456789ab', coldStart: expect.any(Boolean) };

/** Returns the response of a handler that throws; every part of the request mentions Bella. */
const responseTo = (thrown: unknown) =>
  invoke(
    apiHandler().handler(() => {
      throw thrown;
    }),
    { query: 'status=Bella', headers: { authorization: ['Bearer Bella'] }, body: '{"name":"Bella"}' },
  );

describe('an API handler', () => {
  it('responds with 503 before Lambda ends a handler that never responds', async () => {
    const handler = apiHandler().handler(() => new Promise(() => undefined));
    const remainingTime = 510;

    const ended = pause(remainingTime, 'Lambda ended it.');
    const response = await Promise.race([ended, invoke(handler, { remainingTime })]);

    expect(response).toEqual(serviceUnavailable);
    // The first frame is where the handler was made.
    const stack = /The handler did not respond in time\.\\n {4}at [^\\]*api-handler\.test\.ts:/;
    expect(log.errors()).toEqual([expect.stringMatching(stack)]);
  });

  it('logs the key of its own request, even if the next request has begun', async () => {
    const outlived = Promise.withResolvers<void>();
    const work = Promise.withResolvers<void>();
    const slow = apiHandler().handler(async () => {
      await outlived.promise;
      logInfo('The work ended late.', {});
      work.resolve();
      return { statusCode: 200, body: '' };
    });

    await invoke(slow, { remainingTime: 0, keyId: 'aaaaaaaaaaaa' });
    await invoke(apiHandler().handler(() => Promise.resolve({ statusCode: 200, body: '' })));
    outlived.resolve();
    await work.promise;

    expect(log.infos().map((text) => JSON.parse(text))).toMatchObject([{ keyId: 'aaaaaaaaaaaa' }]);
  });

  it('responds to a client error, and logs only its code', async () => {
    const response = await responseTo(new ApiError('invalid_query', 'limit must be "small".'));

    expect(response).toEqual(errorResponse(400, 'invalid_query', 'limit must be "small".'));
    expect(log.errors()).toEqual([]);
    const line = { ...invocation, message: 'A request was rejected.', code: 'invalid_query' };
    expect(log.infos().map((text) => JSON.parse(text))).toEqual([line]);
  });

  it('responds to an outage with Retry-After, and logs its cause', async () => {
    const error = new ApiError('service_unavailable', undefined, { cause: new Error('hang up') });

    const response = await responseTo(error);

    expect(response).toEqual(serviceUnavailable);
    const line = { ...invocation, code: 'service_unavailable', error: { message: 'hang up' } };
    expect(log.errors().map((text) => JSON.parse(text))).toMatchObject([line]);
  });

  it.each(['internal_error', 'service_unavailable'] as const)(
    'logs where a handler throws %s without a cause',
    async (code) => {
      await responseTo(new ApiError(code));

      const [line = '{}'] = log.errors();
      const { code: logged, error } = JSON.parse(line);
      expect(logged).toBe(code);
      expect(error).toMatchObject({
        name: 'ApiError',
        stack: expect.stringMatching(/ {4}at .*api-handler\.test\.ts:/),
      });
    },
  );

  it('hides an unexpected error, and logs it without what the client sent', async () => {
    const error = Object.assign(new Error('PetsTable-1X2'), { statusCode: 418, expose: true });

    const response = await responseTo(error);

    expect(response).toEqual(internalError);
    expect(log.errors()).toEqual([expect.stringContaining('PetsTable-1X2')]);
    expect(log.errors()).toEqual([expect.not.stringContaining('Bella')]);
  });
});

const { deprecation: _deprecation, ...request } = getPet;
const { headers } = createPet.response;
const removal = { ...request, success: 204, response: { description: '', headers } } as const;

describe('an API handler that throws what is not an error', () => {
  it.each([
    [
      'an object',
      { reason: 'Bella', body: 'Bella' },
      'an object of the class Object with the fields: reason, body',
    ],
    ['an object without a class', Object.create(null), 'an object of the class Object with the fields: none'],
    ['a text', 'no page', 'no page'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['a symbol', Symbol('page'), 'Symbol(page)'],
    ['a long text', 'x'.repeat(100_000), 'x'.repeat(300)],
  ])('logs what %s is, and where the handler is made', async (_title, thrown, text) => {
    const response = await responseTo(thrown);

    expect(response).toEqual(internalError);
    const [line = ''] = log.errors();
    const { error } = JSON.parse(line);
    expect(error.message).toBe(`This was thrown: ${text}`);
    expect(error.stack).toMatch(/^Error: This was thrown: .*\n {4}at .*api-handler\.test\.ts:/);
    expect(line).not.toContain('Bella');
  });
});

describe('json', () => {
  it('responds with a body in exact JSON', () => {
    const response = jsonResponse<typeof createPet>(201, examplePet, { Location: '/pets/1' });

    expect(response).toEqual({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', Location: '/pets/1' },
      body: stringifyJson(examplePet),
    });
  });

  it('responds with a 204 without a body', () => {
    const response = jsonResponse<typeof removal>(204, undefined, { Location: '/pets' });

    expect(response).toEqual({ statusCode: 204, headers: { Location: '/pets' }, body: '' });
  });

  // The compiler reports a directive without an error below it.
  it('compiles only for what the operations table describes', () => {
    const located = { Location: '/pets/1' };
    // @ts-expect-error without an operation
    jsonResponse(201, examplePet, located);
    // @ts-expect-error another status
    jsonResponse<typeof createPet>(200, examplePet, located);
    // @ts-expect-error a missing field
    jsonResponse<typeof createPet>(201, exampleNewPet, located);
    // @ts-expect-error an unknown field
    jsonResponse<typeof createPet>(201, { ...examplePet, digest: 'secret' }, located);
    // @ts-expect-error a missing header
    jsonResponse<typeof createPet>(201, examplePet, {});
    // @ts-expect-error an unknown header
    jsonResponse<typeof createPet>(201, examplePet, { ...located, 'X-Whatever': 'yes' });
    // @ts-expect-error a 204 with a body
    jsonResponse<typeof removal>(204, examplePet, located);
  });
});

it('an operation has a body exactly if it succeeds with one', () => {
  expectTypeOf(removal).toExtend<Operation>();
  expectTypeOf({ ...removal, success: 200 } as const).not.toExtend<Operation>();
  expectTypeOf({ ...removal, success: 202 } as const).not.toExtend<Operation>();
  expectTypeOf<ResponseBody<typeof removal>>().toEqualTypeOf<undefined>();
  expectTypeOf<ResponseBody<typeof createPet>>().toEqualTypeOf<Readonly<Pet>>();
});

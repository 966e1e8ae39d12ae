import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import { ApiError } from '../../../shared/contract/error-table.ts';
import type { Operation, ResponseBody } from '../../../shared/contract/operation.ts';
import { jsonBody } from '../../../shared/http/json-body.ts';
import { serve } from '../../../shared/http/serve.ts';
import {
  createPart,
  examplePart,
  listParts,
  type Part,
  partInUse,
  removePart,
} from '../../support/contract/neutral-operations.ts';
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
const { handle, respond } = serve(removePart);
const done = () => Promise.resolve(respond(undefined, {}));

/** Returns the response of a handler that throws; every part of the request mentions Bella. */
const responseTo = (thrown: unknown) =>
  invoke(
    handle(() => Promise.reject(thrown)),
    { query: 'colour=Bella', headers: { authorization: ['Bearer Bella'] }, body: '{"label":"Bella"}' },
  );

describe('a handler', () => {
  it('responds with 503 before Lambda ends a handler that never responds', async () => {
    const handler = handle(() => new Promise(() => undefined));
    const remainingTime = 510;

    const ended = pause(remainingTime, 'Lambda ended it.');
    const response = await Promise.race([ended, invoke(handler, { remainingTime })]);

    expect(response).toEqual(serviceUnavailable);
    expect(log.errors()).toEqual([
      expect.stringContaining('The handler of removePart did not respond in time.'),
    ]);
  });

  it('responds to a client error, and logs only its code and details', async () => {
    const details = { invalid: 'limit' };
    const response = await responseTo(new ApiError('invalid_query', 'limit must be "small".', { details }));

    expect(response).toEqual(errorResponse(400, 'invalid_query', 'limit must be "small".'));
    expect(log.errors()).toEqual([]);
    const line = { ...invocation, message: 'A request was rejected.', code: 'invalid_query', ...details };
    expect(log.infos().map((text) => JSON.parse(text))).toEqual([line]);
  });

  it('responds with an error of its own service', async () => {
    const response = await responseTo(new ApiError(partInUse));

    expect(response).toEqual(errorResponse(409, 'part_in_use', 'The part is in use.', { Allow: 'GET' }));
  });

  it('responds to an outage with Retry-After, and logs its cause', async () => {
    const error = new ApiError('service_unavailable', undefined, { cause: new Error('hang up') });

    const response = await responseTo(error);

    expect(response).toEqual(serviceUnavailable);
    const line = { ...invocation, code: 'service_unavailable', error: { message: 'hang up' } };
    expect(log.errors().map((text) => JSON.parse(text))).toMatchObject([line]);
  });

  it.each(['no page', { message: 'no page' }])(
    'logs the text of what a handler throws: %j',
    async (thrown) => {
      expect(await responseTo(thrown)).toMatchObject(internalError);

      const [line = '{}'] = log.errors();
      expect(JSON.parse(line)).toMatchObject({ code: 'internal_error', error: { message: 'no page' } });
    },
  );

  it.each(['internal_error', 'service_unavailable'] as const)(
    'logs where a handler throws %s without a cause',
    async (code) => {
      await responseTo(new ApiError(code));

      const [line = '{}'] = log.errors();
      const { code: logged, error } = JSON.parse(line);
      expect(logged).toBe(code);
      expect(error).toMatchObject({
        name: 'ApiError',
        stack: expect.stringMatching(/ {4}at .*serve\.test\.ts:/),
      });
    },
  );

  it('hides an unexpected error, and logs it without what the client sent', async () => {
    const error = Object.assign(new Error('PartsTable-1X2'), { statusCode: 418, expose: true });

    const response = await responseTo(error);

    expect(response).toEqual(internalError);
    expect(log.errors()).toEqual([expect.stringContaining('PartsTable-1X2')]);
    expect(log.errors()).toEqual([expect.not.stringContaining('Bella')]);
  });

  it('responds with 500 to what is not an error, without logging it', async () => {
    const response = await responseTo({ body: 'Bella' });

    expect(response).toEqual(internalError);
    expect(log.errors()).toEqual([expect.not.stringContaining('Bella')]);
  });
});

describe('respond', () => {
  it('responds with the status and a body in exact JSON', () => {
    const response = serve(createPart, jsonBody).respond(examplePart, { Location: '/parts/1' });

    expect(response).toEqual({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', Location: '/parts/1' },
      body: '{"id":1152921504606846976,"label":"wheel"}',
    });
  });

  it('responds with a 204 without a body', async () => {
    expect(await done()).toEqual({ statusCode: 204, headers: {}, body: '' });
  });

  // The compiler reports a directive without an error below it.
  it('compiles only for what the operation describes', () => {
    const located = { Location: '/parts/1' };
    const create = serve(createPart, jsonBody);
    // @ts-expect-error a missing field
    create.respond({ id: 1n }, located);
    // @ts-expect-error an unknown field
    create.respond({ ...examplePart, digest: 'secret' }, located);
    // @ts-expect-error a missing header
    create.respond(examplePart, {});
    // @ts-expect-error an unknown header
    create.respond(examplePart, { ...located, 'X-Whatever': 'yes' });
    // @ts-expect-error a 204 with a body
    respond(examplePart, {});
  });
});

it('an operation is served with a parser of bodies exactly if it has one', () => {
  // @ts-expect-error no parser
  serve(createPart);
  // @ts-expect-error no body
  serve(listParts, jsonBody);
});

it('an operation has a response body exactly if it succeeds with one', () => {
  expectTypeOf(removePart).toExtend<Operation>();
  expectTypeOf({ ...removePart, success: 200 } as const).not.toExtend<Operation>();
  expectTypeOf({ ...removePart, success: 202 } as const).not.toExtend<Operation>();
  expectTypeOf<ResponseBody<typeof removePart>>().toEqualTypeOf<undefined>();
  expectTypeOf<ResponseBody<typeof createPart>>().toEqualTypeOf<Readonly<Part>>();
});

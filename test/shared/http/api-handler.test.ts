import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../shared/contract/errors/error-table.ts';
import { apiHandler, json } from '../../../shared/http/api-handler.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import {
  errorResponse,
  internalError,
  serviceUnavailable,
} from '../../support/functions/expected-response.ts';
import { invoke } from '../../support/functions/invoke.ts';

const log = captureLog();

/** The response of a handler that throws to a request whose every part is Bella's. */
const responseTo = (thrown: unknown) =>
  invoke(
    apiHandler().handler(() => {
      throw thrown;
    }),
    { query: 'status=Bella', headers: { authorization: ['Bearer Bella'] }, body: '{"name":"Bella"}' },
  );

describe('an API handler', () => {
  it('responds with 503 while there is still time, when the work never ends', async () => {
    const handler = apiHandler().handler(() => new Promise(() => undefined));
    const startedAt = performance.now();

    const response = await invoke(handler, { remainingTime: 510 });

    expect(performance.now() - startedAt).toBeLessThan(400);
    expect(response).toEqual(serviceUnavailable);
    expect(log.errors()).toEqual([expect.stringContaining('The function ran out of time.')]);
  });

  it('does without an authorizer', async () => {
    const handler = apiHandler().handler(async () => json(200, [], {}));

    const response = await invoke((event, context) => {
      event.requestContext.authorizer = null;
      return handler(event, context);
    });

    expect(response).toMatchObject({ status: 200, body: [] });
  });

  it('responds to a fault of the client without a line in the log', async () => {
    const response = await responseTo(new ApiError('invalid_query', 'limit must be "small".'));

    expect(response).toEqual(errorResponse(400, 'invalid_query', 'limit must be "small".'));
    expect(log.errors()).toEqual([]);
  });

  it('responds to an outage with the headers of the error table, and logs its cause', async () => {
    const error = new ApiError('service_unavailable', undefined, { cause: new Error('socket hang up') });

    const response = await responseTo(error);

    expect(response).toEqual(serviceUnavailable);
    expect(log.errors().map((line) => JSON.parse(line))).toEqual([
      {
        message: 'The service is temporarily unavailable: retry after the number of seconds in Retry-After.',
        code: 'service_unavailable',
        requestId: expect.any(String),
        keyId: '0123456789ab',
        coldStart: expect.any(Boolean),
        error: { name: 'Error', message: 'socket hang up', stack: expect.any(String) },
      },
    ]);
  });

  const libraryError = Object.assign(new Error('PetsTable-1X2'), { statusCode: 418, expose: true });

  it.each([
    ['an HTTP error of a library', libraryError],
    ['a text', 'PetsTable-1X2 is broken'],
  ])('hides %s that nobody expected, and logs it without what the client sent', async (_title, thrown) => {
    const response = await responseTo(thrown);

    expect(response).toEqual(internalError);
    expect(log.errors()).toEqual([expect.stringContaining('PetsTable-1X2')]);
    expect(log.errors()).toEqual([expect.not.stringContaining('Bella')]);
  });
});

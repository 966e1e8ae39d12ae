import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../shared/contract/errors/api-error.ts';
import { apiHandler, json } from '../../../shared/http/api-handler.ts';
import { captureErrorLog } from '../../support/functions/error-log.ts';
import {
  commonHeaders,
  errorAnswer,
  internalError,
  serviceUnavailable,
} from '../../support/functions/expected-response.ts';
import { invoke } from '../../support/functions/invoke.ts';

const log = captureErrorLog();
const failing = (thrown: unknown) =>
  apiHandler().handler(() => {
    throw thrown;
  });

describe('answers', () => {
  it('gives an answer the common headers besides its own', async () => {
    const handler = apiHandler().handler(async () => json(200, [], { Link: '</>; rel="next"' }));

    const answer = await invoke(handler);

    expect(answer).toEqual({ status: 200, headers: { ...commonHeaders, Link: '</>; rel="next"' }, body: [] });
  });

  it("answers a client's fault without a line in the log", async () => {
    const answer = await invoke(failing(new ApiError('invalid_query', 'limit must be "small".')));

    expect(answer).toEqual(errorAnswer(400, 'invalid_query', 'limit must be "small".'));
    expect(log.lines()).toEqual([]);
  });

  it('answers an outage with the headers of the error table, and logs its cause', async () => {
    const error = new ApiError('service_unavailable', undefined, { cause: new Error('socket hang up') });

    const answer = await invoke(failing(error));

    expect(answer).toEqual(serviceUnavailable);
    expect(log.lines().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        code: 'service_unavailable',
        requestId: expect.any(String),
        error: expect.objectContaining({ message: 'socket hang up' }),
      }),
    ]);
  });

  it.each([
    ['an error', new Error('PetsTable-1X2 is broken')],
    [
      'an HTTP error of a library',
      Object.assign(new Error('PetsTable-1X2'), { statusCode: 418, expose: true }),
    ],
    ['a text', 'PetsTable-1X2 is broken'],
  ])('hides %s that nobody expected, and logs it', async (_title, thrown) => {
    const answer = await invoke(failing(thrown));

    expect(answer).toEqual(internalError);
    expect(log.lines()).toEqual([expect.stringContaining('PetsTable-1X2')]);
  });

  it('keeps what the client sent out of the log', async () => {
    await invoke(failing(new Error('a defect')), {
      query: 'status=Bella',
      headers: { authorization: ['Bearer Bella'] },
      body: '{"name":"Bella"}',
    });

    expect(log.lines()).toEqual([expect.not.stringContaining('Bella')]);
  });
});

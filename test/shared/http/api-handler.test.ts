import { describe, expect, it } from 'vitest';
import { apiHandler, json } from '../../../shared/http/api-handler.ts';
import { captureErrorLog } from '../../support/functions/error-log.ts';
import { serviceUnavailable } from '../../support/functions/expected-response.ts';
import { invoke } from '../../support/functions/invoke.ts';

const log = captureErrorLog();

describe('apiHandler', () => {
  it('responds with 503 while there is still time, when the work never ends', async () => {
    const handler = apiHandler().handler(() => new Promise(() => undefined));
    const startedAt = performance.now();

    const response = await invoke(handler, { remainingTime: 510 });

    expect(performance.now() - startedAt).toBeLessThan(400);
    expect(response).toEqual(serviceUnavailable);
    expect(log.lines()).toEqual([expect.stringContaining('The function ran out of time.')]);
  });
});

describe('json', () => {
  it('is a response with integers in full', () => {
    expect(json(201, { id: 9223372036854775807n }, { Location: '/12' })).toEqual({
      statusCode: 201,
      headers: { 'Content-Type': 'application/json', Location: '/12' },
      body: '{"id":9223372036854775807}',
    });
  });
});

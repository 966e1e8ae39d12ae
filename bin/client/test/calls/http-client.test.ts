import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { HttpClient } from '../../../cli/calls/http-client.ts';
import { loseConnection, respond, startStubApi } from '../../../cli/test/support/stub-api.ts';

const headers = { 'Idempotency-Key': 'key' };

// A POST without a key and a PATCH could have their effect twice.
it.each([
  { method: 'DELETE', attempts: 2 },
  { method: 'PUT', attempts: 2 },
  { method: 'POST', headers, attempts: 2 },
  { method: 'POST', attempts: 1 },
  { method: 'PATCH', attempts: 1 },
] as const)(
  'sends $method $headers $attempts times if a connection is lost',
  async ({ attempts, ...rest }) => {
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { baseUrl, requests } = await startStubApi(respond(429, ''), loseConnection, respond(204, ''));
    const api = new HttpClient({ baseUrl, apiKey: 'secret' });

    await api
      .send(v.undefined(), { ...rest, operation: 'editNote', path: 'notes/1' }, {}, {})
      .catch(() => undefined);

    // The first one was throttled.
    expect(requests).toHaveLength(1 + attempts);
  },
);

import * as v from 'valibot';
import { expect, it } from 'vitest';
import { describeApiError } from '../api-options.ts';
import { HttpClient } from '../calls/http-client.ts';
import { respond, startStubApi } from './support/stub-api.ts';

it.each<[failure: string, baseUrlOf: (stub: string) => string, reason: RegExp]>([
  [
    'a name that is unknown',
    () => 'http://pets.invalid/v1',
    /\(fetch failed: getaddrinfo \w+ pets\.invalid, http:/,
  ],
  [
    'a port that speaks no TLS',
    (stub) => stub.replace('http:', 'https:'),
    /\(fetch failed: .*SSL.*, https:/s,
  ],
])('says how the connection failed to %s', async (_failure, baseUrlOf, reason) => {
  const { baseUrl } = await startStubApi(respond(200, '[]'));
  const api = new HttpClient({ baseUrl: baseUrlOf(baseUrl), apiKey: 'secret', retries: 0 });
  const request = { operation: 'listParts', method: 'GET', path: 'parts' } as const;

  const error: unknown = await api.send(v.unknown(), request, {}, {}).catch((error: unknown) => error);

  expect(describeApiError(error)).toMatch(reason);
});

import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { HttpClient } from '../../../shared/client/http-client.ts';
import { loseConnection, respond, startStubApi } from '../../support/client/stub-api.ts';

const headers = { 'Idempotency-Key': 'key' };

it.each([
  { method: 'DELETE', lost: 2 },
  { method: 'PUT', lost: 2 },
  { method: 'POST', headers, lost: 2 },
  // Both could have their effect twice.
  { method: 'POST', lost: 1 },
  { method: 'PATCH', lost: 1 },
] as const)('sends $method $headers as often as is safe', async ({ lost, ...request }) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const attemptsAfter = async (failure: typeof loseConnection) => {
    const { baseUrl, requests } = await startStubApi(failure, respond(204, ''));
    const api = new HttpClient({ baseUrl, apiKey: 'secret' });
    await api.send(v.undefined(), { ...request, path: 'notes/1' }, {}).catch(() => undefined);
    return requests.length;
  };

  expect(await attemptsAfter(loseConnection)).toBe(lost);
  expect(await attemptsAfter(respond(429, ''))).toBe(2);
});

import { expect, it, vi } from 'vitest';
import { apiKey, baseUrl, fetchAsDescribed } from '../../support/e2e/api-client.ts';
import { npm } from '../../support/local/npm.ts';

it.each([
  ['without BASE_URL', {}, 'npm run smoke tests a deployed stage: set BASE_URL and API_KEY.'],
  [
    'without a server',
    { BASE_URL: 'http://127.0.0.1:9/v1', API_KEY: 'none' },
    'No API responds at http://127.0.0.1:9/v1/pets?limit=1: start it, or set BASE_URL to its address.',
  ],
  ['with a wrong key', { BASE_URL: baseUrl, API_KEY: 'none' }, '401 unauthorized: check API_KEY.'],
])('npm run smoke %s fails in one line', async (_title, environment, message) => {
  const { BASE_URL: _baseUrl, API_KEY: _apiKey, ...env } = process.env;

  const smoke = npm(['run', '-s', 'smoke'], { env: { ...env, ...environment } });

  await expect(smoke).rejects.toMatchObject({ code: 1, stdout: '', stderr: `error: ${message}\n` });
});

it('an undocumented header is a warning for a deployed stage, and a failure locally', async () => {
  const warned = vi.spyOn(console, 'warn').mockReturnValue();
  const { fetch } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (request) => {
    const response = await fetch(request);
    return new Response(response.body, { ...response, headers: [...response.headers, ['Server', 'proxy']] });
  });
  const request = () =>
    new Request(`${baseUrl}/pets?limit=1`, { headers: { Authorization: `Bearer ${apiKey}` } });
  const message = 'GET /pets?limit=1: header server is not described.';

  await fetchAsDescribed(request(), true);

  expect(warned.mock.calls).toStrictEqual([[message]]);
  await expect(fetchAsDescribed(request(), false)).rejects.toThrow(new Error(message));
});

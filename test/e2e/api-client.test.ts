import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { close, listen } from '../../infra/local/listen.ts';
import { apiClient, call } from '../support/e2e/api-client.ts';
import type { ApiAnswer } from '../support/e2e/conformance.ts';

/** A client of a server that gives one and the same answer. */
async function clientOf({ status, headers, text }: ApiAnswer) {
  const server = createServer((_message, response) => response.writeHead(status, headers).end(text));
  const port = await listen(server);
  onTestFinished(() => close(server));
  return apiClient({ baseUrl: `http://127.0.0.1:${port}/v1`, apiKey: 'key' });
}

describe('a call of the API', () => {
  it('fails where the answer is not described', async () => {
    const good = await call('GET', '/pets?limit=1');
    const teapot = await clientOf({ ...good, status: 418 });

    const answer = teapot('GET', '/pets?limit=1');

    await expect(answer).rejects.toThrow('GET /pets?limit=1: status 418 is not described.');
  });

  it('fails where a request is let through that is not as described', async () => {
    const good = await call('GET', '/pets?limit=1');
    const generous = await clientOf(good);

    const answer = generous('GET', '/pets?limit=0');

    await expect(answer).rejects.toThrow('GET /pets?limit=0: parameter limit: data must be >= 1.');
  });

  it('fails where a header is let through that is not as described', async () => {
    const body = { name: 'Bella', categoryId: 1 };
    const good = await call('POST', '/pets', { body, headers: { 'Idempotency-Key': 'api-client' } });
    const generous = await clientOf(good);

    const answer = generous('POST', '/pets', { body, headers: { 'Idempotency-Key': 'two words' } });

    await expect(answer).rejects.toThrow('POST /pets: parameter Idempotency-Key: data must match pattern');
  });
});

import { expect, it, onTestFinished, vi } from 'vitest';
import { createHttpServer } from '../../http/http-server.ts';
import type { HttpResponse } from '../../http/read-request.ts';

const gatewayResponse = (body: string) => ({ status: 418, headers: {}, body });

/** Sends a request to a server whose gateway responds like this. */
async function requestTo(respond: () => Promise<HttpResponse>): Promise<Response> {
  const server = createHttpServer({ foreignBody: '' });
  onTestFinished(() => server.close());
  server.serve({ gatewayResponse, respond });
  return fetch(`http://127.0.0.1:${await server.listen()}/v1/pets`);
}

// The end-to-end tests cover the rest.
it('the HTTP server responds to its own failure as the gateway would', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValueOnce();

  const response = await requestTo(() => Promise.reject(new Error('It failed.')));

  expect(response.status).toBe(418);
  expect(response.headers.get('keep-alive')).toBe('timeout=60');
  expect(await response.text()).toBe('DEFAULT_5XX');
  expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Error: It failed.'));
});

it('the HTTP server sends no header of a response that has a malformed one', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValueOnce();

  const response = await requestTo(async () => ({
    status: 200,
    headers: { 'X-A': 'a', 'X-B': 'b\nc' },
    body: '',
  }));

  expect([response.status, response.headers.get('x-a')]).toEqual([418, null]);
  expect(logged).toHaveBeenCalledExactlyOnceWith(
    expect.stringContaining('Invalid character in header content ["X-B"]'),
  );
});

it('the HTTP server blocks a request whose chunked body it warns of', async () => {
  const onRequest = vi.fn();
  const server = createHttpServer({ foreignBody: '' }, onRequest);
  onTestFinished(() => server.close());
  server.serve({ gatewayResponse, respond: vi.fn() });
  server.interceptRequests(async () => ({ status: 429, headers: { 'Retry-After': '60' }, body: '{}' }));

  const body = new Blob(['{}']).stream();
  const url = `http://127.0.0.1:${await server.listen()}/v1/pets`;
  const response = await fetch(url, { method: 'POST', body, duplex: 'half' });

  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '60']);
  const warning = 'a chunked body: send a Content-Length';
  expect(onRequest).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 429, warning }));
});

it("the HTTP server says why it rejects a browser's preflight request", async () => {
  const onRequest = vi.fn();
  const server = createHttpServer({ foreignBody: '{"code":"not_found"}' }, onRequest);
  onTestFinished(() => server.close());
  server.serve({ gatewayResponse, respond: vi.fn() });

  const url = `http://127.0.0.1:${await server.listen()}/v1/pets`;
  await fetch(url, { method: 'OPTIONS', headers: { Origin: 'http://localhost:5173' } });

  const warning = "from another origin or Host: call it through your development server's proxy";
  const record = { method: 'OPTIONS', url: '/v1/pets', code: 'not_found', warning };
  expect(onRequest).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(record));
});

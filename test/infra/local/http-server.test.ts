import { expect, it, onTestFinished, vi } from 'vitest';
import { createHttpServer } from '../../../infra/local/http-server.ts';

// The end-to-end tests cover the rest.
it('the HTTP server responds to its own failure as the gateway would', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValueOnce();
  const server = createHttpServer({ foreignBody: '' });
  onTestFinished(() => server.close());
  server.serve({
    gatewayResponse: (body) => ({ status: 418, headers: {}, body }),
    respond: () => Promise.reject(new Error('It failed.')),
  });

  const response = await fetch(`http://127.0.0.1:${await server.listen()}/v1/pets`);

  expect(response.status).toBe(418);
  expect(response.headers.get('keep-alive')).toBe('timeout=60');
  expect(await response.text()).toBe('DEFAULT_5XX');
  expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Error: It failed.'));
});

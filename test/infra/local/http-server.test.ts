import { afterAll, expect, it, vi } from 'vitest';
import { Gateway } from '../../../infra/local/api-gateway/gateway.ts';
import { listen } from '../../../infra/local/http/listen.ts';
import { createHttpServer } from '../../../infra/local/http-server.ts';
import { Invoker } from '../../../infra/local/lambda/invoker.ts';
import { stubDeployment } from '../../support/infra/stub-deployment.ts';

const gateway = new Gateway(
  stubDeployment,
  new Invoker({ ...stubDeployment, functions: new Map() }, () => ({})),
);
const server = createHttpServer({ gateway, toAccessLogLine: () => '', pages: new Map() }, () => undefined);
const url = `http://127.0.0.1:${await listen(server)}/v1/repeat`;
afterAll(() => void server.close());

// The end-to-end tests see what it does otherwise.
it('the HTTP server responds to a failure of its own as the gateway would, and logs it', async () => {
  vi.spyOn(gateway, 'respond').mockRejectedValueOnce(new Error('It failed.'));
  const logged = vi.spyOn(console, 'error').mockReturnValueOnce();

  const response = await fetch(url, { method: 'POST' });

  expect(response.status).toBe(418);
  expect(response.headers.get('keep-alive')).toBe('timeout=60');
  expect(await response.text()).toBe('DEFAULT_5XX');
  expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Error: It failed.'));
  logged.mockRestore();
});

it('the HTTP server keeps no connection for another request once it closes', async () => {
  vi.spyOn(gateway, 'respond').mockImplementationOnce(async () => {
    server.close();
    return gateway.gatewayResponse('DEFAULT_5XX');
  });

  const response = await fetch(url, { method: 'POST' });

  expect(response.headers.get('connection')).toBe('close');
});

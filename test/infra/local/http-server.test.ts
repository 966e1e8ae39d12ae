import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createGateway } from '../../../infra/local/api-gateway/gateway.ts';
import { HttpServer } from '../../../infra/local/http-server.ts';
import { createInvoker } from '../../../infra/local/lambda/invoker.ts';
import { stubDeployment } from '../../support/infra/stub-deployment.ts';

const gateway = createGateway(stubDeployment, createInvoker(''));

/** Starts a server whose gateway responds with `respond`. */
async function start(respond: (server: HttpServer, origin: string) => Promise<string>) {
  const server = new HttpServer();
  const origin = `http://127.0.0.1:${await server.listen()}`;
  onTestFinished(() => server.close());
  server.gateway = gateway;
  vi.spyOn(gateway, 'respond').mockImplementation(async () => {
    await setImmediate();
    return { ...gateway.gatewayResponse('DEFAULT_5XX'), body: await respond(server, origin) };
  });
  const post = () => fetch(`${origin}/v1/repeat`, { method: 'POST' });
  return { server, post };
}

// The end-to-end tests cover the rest.
it('the HTTP server responds to its own failure as the gateway would', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValueOnce();
  const { post } = await start(() => Promise.reject(new Error('It failed.')));

  const response = await post();

  expect(response.status).toBe(418);
  expect(response.headers.get('keep-alive')).toBe('timeout=60');
  expect(await response.text()).toBe('DEFAULT_5XX');
  expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Error: It failed.'));
});

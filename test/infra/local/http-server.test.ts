import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Gateway } from '../../../infra/local/api-gateway/gateway.ts';
import { HttpServer } from '../../../infra/local/http-server.ts';
import { Invoker } from '../../../infra/local/lambda/invoker.ts';
import { stubDeployment } from '../../support/infra/stub-deployment.ts';

const gateway = new Gateway(stubDeployment, new Invoker(''));

/** Starts a server whose gateway responds with `respond`. */
async function start(respond: (server: HttpServer, origin: string) => Promise<string>) {
  const server = new HttpServer();
  const origin = `http://127.0.0.1:${await server.listen()}`;
  onTestFinished(() => server.close(10));
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

it('the HTTP server completes requests before it closes, but accepts no others', async () => {
  const { server, post } = await start(async (closing, origin) => {
    closing.close();
    await expect(post()).rejects.toThrow('fetch failed');
    // Functions still reach the tables.
    const table = await fetch(`${origin}/_aws/`, { method: 'POST' });
    return table.text();
  });
  server.pages.set('POST /_aws/', async () => ({ status: 200, headers: {}, body: 'from the table' }));

  const response = await post();

  expect(response.headers.get('connection')).toBe('close');
  expect(await response.text()).toBe('from the table');
});

it('the HTTP server closes despite a request that takes too long', async () => {
  const invoked = Promise.withResolvers<void>();
  const { server, post } = await start(() => {
    invoked.resolve();
    return new Promise(() => undefined);
  });
  const rejected = expect(post()).rejects.toThrow('fetch failed');
  await invoked.promise;

  await server.close(10);

  await rejected;
});

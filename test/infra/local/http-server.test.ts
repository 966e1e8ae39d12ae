import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { Gateway } from '../../../infra/local/api-gateway/gateway.ts';
import { HttpServer } from '../../../infra/local/http-server.ts';
import { Invoker } from '../../../infra/local/lambda/invoker.ts';
import { stubDeployment } from '../../support/infra/stub-deployment.ts';

const gateway = new Gateway(stubDeployment, new Invoker(() => ({})));

async function start(): Promise<{ server: HttpServer; origin: string }> {
  const server = new HttpServer(() => undefined);
  const origin = `http://127.0.0.1:${await server.listen()}`;
  onTestFinished(() => server.close());
  return { server, origin };
}

// The end-to-end tests cover the rest.
describe('the HTTP server', () => {
  it('responds to a failure of its own as the gateway would', async () => {
    const { server, origin } = await start();
    server.gateway = gateway;
    vi.spyOn(gateway, 'respond').mockRejectedValueOnce(new Error('It failed.'));
    const logged = vi.spyOn(console, 'error').mockReturnValueOnce();

    const response = await fetch(`${origin}/v1/repeat`, { method: 'POST' });

    expect(response.status).toBe(418);
    expect(response.headers.get('keep-alive')).toBe('timeout=60');
    expect(await response.text()).toBe('DEFAULT_5XX');
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Error: It failed.'));
    logged.mockRestore();
  });

  it('drops the connections of clients until it serves an API', async () => {
    const { origin } = await start();

    await expect(fetch(`${origin}/v1/repeat`, { method: 'POST' })).rejects.toThrow('fetch failed');
  });

  it('keeps no connection of a client once it closes', async () => {
    const { server, origin } = await start();
    server.gateway = gateway;
    vi.spyOn(gateway, 'respond').mockImplementationOnce(async () => {
      server.close();
      return gateway.gatewayResponse('DEFAULT_5XX');
    });

    const response = await fetch(`${origin}/v1/repeat`, { method: 'POST' });

    expect(response.headers.get('connection')).toBe('close');
  });

  it('serves the AWS endpoint while a function still responds to a client', async () => {
    const { server, origin } = await start();
    server.gateway = gateway;
    server.pages.set('POST /_aws/', async () => ({ status: 200, headers: {}, body: 'from the table' }));
    const [invoked, closing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    vi.spyOn(gateway, 'respond').mockImplementationOnce(async () => {
      invoked.resolve();
      await closing.promise;
      const table = await fetch(`${origin}/_aws/`, { method: 'POST' });
      return { ...gateway.gatewayResponse('DEFAULT_5XX'), body: await table.text() };
    });

    const responded = fetch(`${origin}/v1/repeat`, { method: 'POST' });
    await invoked.promise;
    server.close();
    closing.resolve();
    const response = await responded;

    expect(await response.text()).toBe('from the table');
  });
});

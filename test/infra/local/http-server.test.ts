import { expect, it, onTestFinished, vi } from 'vitest';
import { createGateway } from '../../../infra/local/api-gateway/gateway.ts';
import { createHttpServer } from '../../../infra/local/http-server.ts';
import { createInvoker } from '../../../infra/local/lambda/invoker.ts';
import { stubDeployment } from '../../support/infra/stub-deployment.ts';

// The end-to-end tests cover the rest.
it('the HTTP server responds to its own failure as the gateway would', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValueOnce();
  const gateway = createGateway(stubDeployment, createInvoker(''));
  const server = createHttpServer();
  onTestFinished(() => server.close());
  server.serve({ ...gateway, respond: () => Promise.reject(new Error('It failed.')) });

  const response = await fetch(`http://127.0.0.1:${await server.listen()}/v1/repeat`);

  expect(response.status).toBe(418);
  expect(response.headers.get('keep-alive')).toBe('timeout=60');
  expect(await response.text()).toBe('DEFAULT_5XX');
  expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Error: It failed.'));
});

import { afterAll, describe, expect, it, vi } from 'vitest';
import { accessLogLine } from '../../../infra/local/api-gateway/access-log.ts';
import { Gateway } from '../../../infra/local/api-gateway/gateway.ts';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { createHttpServer } from '../../../infra/local/http-server.ts';
import { Invoker } from '../../../infra/local/lambda/invoker.ts';
import { stubDeployment } from '../../support/infra/stub-deployment.ts';

const invoker = new Invoker(stubDeployment, () => ({}));
const gateway = new Gateway(stubDeployment, invoker);
const onRequest = vi.fn();
const server = createHttpServer(
  { gateway, toAccessLogLine: accessLogLine(stubDeployment.accessLogFormat), pages: new Map() },
  onRequest,
);
const url = `http://127.0.0.1:${await listen(server)}/v1/repeat?secret=1`;
afterAll(async () => {
  await close(server);
  await invoker.close();
});

const post = async () => {
  const headers = { Authorization: 'Bearer allow' };
  const response = await fetch(url, { method: 'POST', headers, body: '{"statusCode":201,"body":"text"}' });
  return {
    requestId: response.headers.get('x-amzn-RequestId'),
    status: response.status,
    body: await response.text(),
  };
};

describe('the HTTP server', () => {
  it('sends the response of the gateway, and tells of the request without its query', async () => {
    const response = await post();

    expect(response).toEqual({ requestId: expect.any(String), status: 201, body: 'text' });
    expect(onRequest).toHaveBeenCalledExactlyOnceWith({
      requestId: response.requestId,
      method: 'POST',
      path: '/v1/repeat',
      status: 201,
      milliseconds: expect.any(Number),
      accessLogLine: 'POST 201',
    });
  });

  it('responds to a failure of its own as the gateway would, and logs it', async () => {
    vi.spyOn(gateway, 'respond').mockRejectedValueOnce(new Error('It failed.'));
    const logged = vi.spyOn(console, 'error').mockReturnValueOnce();

    expect(await post()).toMatchObject({ status: 418, body: 'DEFAULT_5XX' });
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Error: It failed.'));
    logged.mockRestore();
  });
});

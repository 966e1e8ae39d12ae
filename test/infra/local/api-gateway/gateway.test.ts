import { afterAll, describe, expect, it, vi } from 'vitest';
import { Gateway } from '../../../../infra/local/api-gateway/gateway.ts';
import type { HttpRequest } from '../../../../infra/local/http/http.ts';
import { Invoker } from '../../../../infra/local/lambda/invoker.ts';
import { httpRequest } from '../../../support/infra/http-request.ts';
import { stubDeployment } from '../../../support/infra/stub-deployment.ts';

// The functions log there what they throw.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

const invoker = new Invoker(stubDeployment, () => ({}));
afterAll(() => invoker.close());
const gateway = new Gateway(stubDeployment, invoker);

/** What a function that repeats the body makes of a request to it. */
function responseOf(change: Partial<HttpRequest>) {
  const request = { method: 'POST', path: '/v1/repeat', headers: { authorization: ['Bearer allow'] } };
  return gateway.respond(httpRequest({ ...request, ...change }), 'request', '127.0.0.1:3000');
}

describe('the gateway', () => {
  it('passes on what the function returns', async () => {
    const body = JSON.stringify({
      statusCode: 201,
      headers: { Location: '/v1/pets/12', 'Retry-After': 1 },
      multiValueHeaders: { Link: ['a', 'b'] },
      body: 'text',
    });

    const response = await responseOf({ body });

    expect(response).toMatchObject({
      status: 201,
      headers: { Location: '/v1/pets/12', 'Retry-After': '1', Link: ['a', 'b'] },
      body: 'text',
    });
  });

  it.each([
    ['the key is denied', { headers: { authorization: ['Bearer deny'] } }, 'ACCESS_DENIED'],
    ['the function throws', { path: '/v1/fail' }, 'DEFAULT_5XX'],
    ['the function returns a status out of range', { body: '{"statusCode":99}' }, 'DEFAULT_5XX'],
    ['the function returns an object as body', { body: '{"statusCode":200,"body":{}}' }, 'DEFAULT_5XX'],
  ])('responds with a gateway response when %s', async (_title, change, type) => {
    const response = await responseOf(change);

    expect(response).toMatchObject({
      status: 418,
      headers: { 'Content-Type': 'application/json', 'X-Stub': 'yes' },
      body: type,
    });
  });
});

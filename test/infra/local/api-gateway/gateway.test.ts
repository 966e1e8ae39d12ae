import { afterAll, describe, expect, it, vi } from 'vitest';
import { Gateway } from '../../../../infra/local/api-gateway/gateway.ts';
import type { HttpRequest } from '../../../../infra/local/http/http.ts';
import { Invoker } from '../../../../infra/local/lambda/invoker.ts';
import { stubDeployment } from '../../../support/infra/stub-deployment.ts';

// The functions log there what they throw.
const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

const invoker = new Invoker(stubDeployment, () => ({}));
afterAll(async () => {
  await invoker.close();
  written.mockRestore();
});
const gateway = new Gateway(stubDeployment, invoker);

const request: HttpRequest = {
  method: 'POST',
  path: '/v1/repeat',
  query: '',
  headers: { authorization: ['Bearer allow'] },
  body: '',
  isBase64Encoded: false,
  sourceIp: '127.0.0.1',
};
const responseOf = (change: Partial<HttpRequest>) =>
  gateway.respond({ ...request, ...change }, 'request', '127.0.0.1:3000');

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
    ['no method matches', { path: '/v1/nothing' }, 'MISSING_AUTHENTICATION_TOKEN'],
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

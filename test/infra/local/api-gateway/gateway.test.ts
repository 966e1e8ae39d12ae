import { afterAll, describe, expect, it, vi } from 'vitest';
import { Gateway } from '../../../../infra/local/api-gateway/gateway.ts';
import type { HttpRequest } from '../../../../infra/local/http/http.ts';
import { Invoker } from '../../../../infra/local/lambda/invoker.ts';
import { httpRequest } from '../../../support/infra/http-request.ts';
import { stubDeployment } from '../../../support/infra/stub-deployment.ts';

// Functions log their errors there.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

const invoker = new Invoker('');
invoker.deploy(stubDeployment);
afterAll(() => invoker.close());
const gateway = new Gateway(stubDeployment, invoker);

/** Returns the response to a request for a function that returns what the body says. */
function responseOf(change: Partial<HttpRequest>) {
  const request = { method: 'POST', path: '/v1/repeat', headers: { authorization: ['Bearer allow'] } };
  return gateway.respond(httpRequest({ ...request, ...change }));
}

const html = { authorization: ['Bearer allow'], 'content-type': ['text/html'] };

describe('the gateway', () => {
  it('decodes a Base64 body', async () => {
    const body = Buffer.from('{"statusCode":200,"body":"6Q==","isBase64Encoded":true}');

    expect((await responseOf({ body })).body).toEqual(Buffer.from([0xe9]));
  });

  it('responds with 414 to a path whose method ARN is longer than 1,600 bytes', async () => {
    const response = await responseOf({ path: `/v1/any/${'x'.repeat(1600)}` });

    expect(response).toMatchObject({ status: 414, body: 'DEFAULT_4XX' });
  });

  it.each([
    ['the body is too large', { body: Buffer.alloc(10 * 2 ** 20 + 1) }, 'REQUEST_TOO_LARGE'],
    [
      'a mock integration has no template for HTML',
      { method: 'PUT', headers: html },
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['the function throws', { path: '/v1/fail' }, 'DEFAULT_5XX'],
    ['the function returns a status out of range', { body: Buffer.from('{"statusCode":99}') }, 'DEFAULT_5XX'],
  ])('sends a gateway response when %s', async (_title, change, type) => {
    const response = await responseOf(change);

    expect(response).toMatchObject({ status: 418, headers: { 'X-Stub': 'yes' }, body: type });
  });
});

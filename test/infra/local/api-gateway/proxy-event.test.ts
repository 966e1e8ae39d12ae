import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proxyEvent } from '../../../../infra/local/api-gateway/proxy-event.ts';
import type { HttpRequest } from '../../../../infra/local/http/http.ts';
import { httpRequest } from '../../../support/infra/http-request.ts';

const eventOf = (change: Partial<HttpRequest>, binaryMediaTypes: readonly string[] = ['*/*']) =>
  proxyEvent(httpRequest({ path: '/v1/pets/', ...change }), {
    requestId: 'request',
    receivedAt: new Date('2026-11-22T02:38:13.456Z'),
    domainName: '127.0.0.1:3000',
    port: 3000,
    deployment: { apiId: 'api', stageName: 'v1', binaryMediaTypes },
    route: { resourcePath: '/pets' },
    pathParameters: {},
    context: {},
  });

// The end-to-end tests see whether the functions get what they need.
describe('proxyEvent', () => {
  it('has each header under the name that the client sent', () => {
    const { headers, multiValueHeaders } = eventOf({
      rawHeaders: [
        ['Accept', 'text/html'],
        ['accept', 'application/json'],
        ['X-Color', 'brown'],
      ],
    });

    expect(multiValueHeaders).toMatchObject({
      Accept: ['text/html', 'application/json'],
      'X-Color': ['brown'],
    });
    expect(headers).toMatchObject({ Accept: 'application/json', 'X-Color': 'brown' });
  });

  it('replaces the headers that API Gateway sets', () => {
    const { headers } = eventOf({
      rawHeaders: [
        ['x-forwarded-proto', 'https'],
        ['x-forwarded-port', '443'],
        ['x-forwarded-for', '192.0.2.1'],
        ['x-amzn-trace-id', 'Root=1'],
      ],
    });

    expect(headers).toEqual({
      'X-Forwarded-For': '192.0.2.1, 127.0.0.1',
      'X-Forwarded-Port': '3000',
      'X-Forwarded-Proto': 'http',
      'X-Amzn-Trace-Id': expect.stringMatching(/^Root=1-6b025595-[0-9a-f]{24}$/),
    });
  });

  it.each(['Connection', 'Content-MD5', 'Expect', 'TE', 'Upgrade'])('leaves out %s', (name) => {
    expect(eventOf({ rawHeaders: [[name, 'x']] }).headers).not.toHaveProperty(name);
  });

  it('has the time in the Common Log Format', () => {
    const { requestContext } = eventOf({});

    expect(requestContext).toMatchObject({
      requestTime: '22/Nov/2026:02:38:13 +0000',
      requestTimeEpoch: 1_795_315_093_456,
    });
  });

  it('has the path as sent, with a slash at its end', () => {
    expect(eventOf({})).toMatchObject({ path: '/pets/', requestContext: { path: '/v1/pets/' } });
  });

  it.each([
    [['*/*'], 'image/png', true],
    [['image/png'], 'image/png; a=b', true],
    [['image/png'], 'application/json', false],
    [[], 'image/png', false],
  ])('has a body in Base64 if %j includes its type %s: %s', (binaryMediaTypes, type, isBase64Encoded) => {
    const event = eventOf({ headers: { 'content-type': [type] }, body: Buffer.from('é') }, binaryMediaTypes);

    expect(event).toMatchObject({ body: isBase64Encoded ? 'w6k=' : 'é', isBase64Encoded });
  });

  it('replaces bytes that are not UTF-8 in a body that is not binary', () => {
    expect(eventOf({ body: Buffer.from([0xe9]) }, []).body).toBe('\ufffd');
  });

  it('has no body if none was sent', () => {
    expect(eventOf({})).toMatchObject({ body: null, isBase64Encoded: false });
  });

  it('returns any query, decoded', () => {
    const values = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 });
    const parameters = fc.dictionary(fc.string({ unit: 'grapheme' }), values, { minKeys: 1 });

    fc.assert(
      fc.property(parameters, (expected) => {
        const query = new URLSearchParams();
        for (const [name, list] of Object.entries(expected)) {
          for (const value of list) query.append(name, value);
        }

        const event = eventOf({ query: query.toString() });

        const last = Object.entries(expected).map(([name, list]) => [name, list.at(-1)]);
        expect(event.multiValueQueryStringParameters).toEqual({ ...expected });
        expect(event.queryStringParameters).toEqual(Object.fromEntries(last));
      }),
    );
  });
});

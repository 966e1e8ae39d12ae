import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proxyEvent } from '../../../../infra/local/api-gateway/proxy-event.ts';
import type { HttpRequest } from '../../../../infra/local/http/http.ts';

const request: HttpRequest = {
  method: 'GET',
  path: '/v1/pets/12',
  query: '',
  headers: { host: ['127.0.0.1:3000'], 'user-agent': ['curl'] },
  body: '',
  isBase64Encoded: false,
  sourceIp: '127.0.0.1',
};

const eventOf = (change: Partial<HttpRequest>, pathParameters: Readonly<Record<string, string>> = {}) =>
  proxyEvent(
    { ...request, ...change },
    {
      requestId: 'request',
      apiId: 'api',
      stageName: 'v1',
      resourcePath: '/pets/{petId}',
      path: '/pets/12',
      pathParameters,
      authorizer: { client: 'acme' },
      host: '127.0.0.1:3000',
    },
  );

describe('proxyEvent', () => {
  it('tells the function what was called, and by whom', () => {
    const event = eventOf({}, { petId: '12' });

    expect(event).toMatchObject({
      resource: '/pets/{petId}',
      path: '/pets/12',
      httpMethod: 'GET',
      pathParameters: { petId: '12' },
      isBase64Encoded: false,
      requestContext: {
        accountId: '123456789012',
        apiId: 'api',
        authorizer: { client: 'acme' },
        domainName: '127.0.0.1:3000',
        httpMethod: 'GET',
        identity: { sourceIp: '127.0.0.1', userAgent: 'curl' },
        path: '/v1/pets/12',
        requestId: 'request',
        resourcePath: '/pets/{petId}',
        stage: 'v1',
      },
    });
  });

  it('has null for what a request does not have', () => {
    expect(eventOf({})).toMatchObject({
      body: null,
      pathParameters: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
      stageVariables: null,
    });
  });

  it('hands on the body as it came', () => {
    expect(eventOf({ body: ' {"name": "Bella"}' }).body).toBe(' {"name": "Bella"}');
  });

  it('has every value of a header, and the last of them by itself', () => {
    const event = eventOf({ headers: { accept: ['text/html', 'application/json'] } });

    expect(event.multiValueHeaders).toMatchObject({ accept: ['text/html', 'application/json'] });
    expect(event.headers).toMatchObject({ accept: 'application/json' });
  });

  it('says itself that the request came over HTTP, whatever the client says', () => {
    const event = eventOf({ headers: { 'x-forwarded-proto': ['https'] } });

    const protocols = Object.entries(event.multiValueHeaders).filter(
      ([name]) => name.toLowerCase() === 'x-forwarded-proto',
    );
    expect(protocols).toEqual([['x-forwarded-proto', ['http']]]);
  });

  it.each([
    ['limit=5', { limit: ['5'] }],
    ['limit=5&status=sold&limit=6', { limit: ['5', '6'], status: ['sold'] }],
    ['limit', { limit: [''] }],
    ['limit=', { limit: [''] }],
    ['a=b=c', { a: ['b=c'] }],
    ['a%20b=c%26d+e', { 'a b': ['c&d e'] }],
    ['__proto__=x', Object.fromEntries([['__proto__', ['x']]])],
  ])('reads the query %s', (query, values) => {
    expect(eventOf({ query }).multiValueQueryStringParameters).toEqual(values);
  });

  it('has the last of repeated query parameters by itself', () => {
    expect(eventOf({ query: 'limit=5&limit=6' }).queryStringParameters).toEqual({ limit: '6' });
  });

  it('gives back any query, decoded', () => {
    const values = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 });
    const parameters = fc.dictionary(fc.string({ unit: 'grapheme' }), values, { minKeys: 1 });

    fc.assert(
      fc.property(parameters, (expected) => {
        const query = new URLSearchParams(
          Object.entries(expected).flatMap(([name, list]) =>
            list.map((value): [string, string] => [name, value]),
          ),
        );

        const event = eventOf({ query: query.toString() });

        expect(event.multiValueQueryStringParameters).toEqual({ ...expected });
      }),
    );
  });
});

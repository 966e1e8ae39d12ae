import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proxyEvent } from '../../api-gateway/proxy-event.ts';
import type { HttpRequest } from '../../http/read-request.ts';
import { httpRequest } from '../support/received-request.ts';

const eventOf = (change: Partial<HttpRequest>) =>
  proxyEvent(httpRequest({ path: '/v1/pets/', ...change }), {
    deployment: { apiId: 'api', stageName: 'v1' },
    route: { resourcePath: '/pets', operationName: 'listPets' },
    pathParameters: {},
    context: {},
  });

// The end-to-end tests see whether the functions get what they need.
describe('proxyEvent', () => {
  it('has all values of a header under its first name, and the path as sent', () => {
    const rawHeaders = [['Accept', 'text/html'] as const, ['accept', 'application/json'] as const];

    expect(eventOf({ rawHeaders })).toMatchObject({
      headers: { Accept: 'application/json' },
      multiValueHeaders: { Accept: ['text/html', 'application/json'] },
      path: '/pets/',
      body: null,
      isBase64Encoded: false,
      requestContext: { path: '/v1/pets/', requestTimeEpoch: 1_795_315_093_456 },
    });
  });

  it('names the operation and the first label of the domain', () => {
    const { requestContext } = eventOf({ domainName: 'pets.example' });

    expect(requestContext).toMatchObject({ operationName: 'listPets', domainPrefix: 'pets' });
  });

  it('splits a query at semicolons', () => {
    const { queryStringParameters } = eventOf({ query: 'status=sold;limit=2' });

    expect(queryStringParameters).toEqual({ status: 'sold', limit: '2' });
  });

  it('returns any query, decoded', () => {
    const text = fc.string({ unit: 'grapheme' });

    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 1 }), (pairs) => {
        const query = new URLSearchParams(pairs);

        const event = eventOf({ query: query.toString() });

        const all = pairs.map(([name]) => [name, query.getAll(name)]);
        expect(event.multiValueQueryStringParameters).toEqual(Object.fromEntries(all));
        expect(event.queryStringParameters).toEqual(Object.fromEntries(pairs));
      }),
    );
  });
});

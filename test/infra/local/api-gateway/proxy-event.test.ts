import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proxyEvent } from '../../../../infra/local/api-gateway/proxy-event.ts';
import type { HttpRequest } from '../../../../infra/local/http/http.ts';
import { httpRequest } from '../../../support/infra/http-request.ts';

const eventOf = (change: Partial<HttpRequest>) =>
  proxyEvent(httpRequest({ path: '/v1/pets/', ...change }), {
    deployment: { apiId: 'api', stageName: 'v1' },
    route: { resourcePath: '/pets' },
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

  it('returns any query, decoded', () => {
    const values = fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 });
    const parameters = fc.dictionary(fc.string({ unit: 'grapheme' }), values, { minKeys: 1 });

    fc.assert(
      fc.property(parameters, (expected) => {
        const pairs = Object.entries(expected).flatMap(([name, list]) =>
          list.map((value): [string, string] => [name, value]),
        );

        const event = eventOf({ query: new URLSearchParams(pairs).toString() });

        const last = Object.entries(expected).map(([name, list]) => [name, list.at(-1)]);
        expect(event.multiValueQueryStringParameters).toEqual({ ...expected });
        expect(event.queryStringParameters).toEqual(Object.fromEntries(last));
      }),
    );
  });
});

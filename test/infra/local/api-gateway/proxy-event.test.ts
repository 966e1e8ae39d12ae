import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proxyEvent } from '../../../../infra/local/api-gateway/proxy-event.ts';
import type { HttpRequest } from '../../../../infra/local/http/http.ts';
import { httpRequest } from '../../../support/infra/http-request.ts';

const eventOf = (change: Partial<HttpRequest>) =>
  proxyEvent(httpRequest(change), {
    requestId: 'request',
    apiId: 'api',
    stageName: 'v1',
    resourcePath: '/pets',
    path: '/pets',
    pathParameters: {},
    authorizer: {},
    host: '127.0.0.1:3000',
  });

// The end-to-end tests see whether the functions are told what they need.
describe('proxyEvent', () => {
  it('has every value of a header, and says itself that the request came over HTTP', () => {
    const event = eventOf({
      headers: { accept: ['text/html', 'application/json'], 'x-forwarded-proto': ['https'] },
    });

    expect(event).toMatchObject({
      multiValueHeaders: { accept: ['text/html', 'application/json'], 'x-forwarded-proto': ['http'] },
      headers: { accept: 'application/json', 'x-forwarded-proto': 'http' },
    });
  });

  it('gives back any query, decoded, and the last of repeated parameters by itself', () => {
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

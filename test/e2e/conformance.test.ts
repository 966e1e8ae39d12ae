import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { type ApiResponse, deviations } from '../support/e2e/conformance.ts';

const bella = { name: 'Bella', categoryId: 1 };
const headers = { 'Idempotency-Key': 'conformance' };

describe('conformance', () => {
  it.each<[what: string, body: object, bend: (response: ApiResponse) => object, expected: string[]]>([
    ['nothing as described', bella, () => ({}), []],
    [
      'a field that was renamed',
      bella,
      ({ body }) => ({ body: { ...Object(body), name: undefined, petName: 'Bella' } }),
      ["data must have required property 'name'"],
    ],
    [
      'a header that was dropped, and two that are not described',
      bella,
      (response) => {
        const { location: _location, ...rest } = response.headers;
        return { headers: { ...rest, 'x-debug': '1', 'content-type': 'text/html' } };
      },
      [
        'header x-debug is not described',
        'header Location is missing',
        'content type is text/html, not application/json',
      ],
    ],
    ['a status', bella, () => ({ status: 418 }), ['status 418 is not described']],
    [
      'a request that was let through although it is not as described',
      { name: 'Bella' },
      () => ({}),
      ["data must have required property 'categoryId'"],
    ],
  ])('finds %s', async (_what, body, bend, expected) => {
    const response = await call('POST', '/pets', { headers, body: bella });

    expect(deviations('POST', '/pets', { body }, { ...response, ...bend(response) })).toEqual(expected);
  });
});

import { expect, it } from 'vitest';
import { requestHeaders, responseHeaders } from '../../api-gateway/header-mapping.ts';
import { httpRequest } from '../support/received-request.ts';

const headersOf = (...rawHeaders: [name: string, value: string][]) =>
  requestHeaders(httpRequest({ rawHeaders, headers: { 'x-forwarded-for': ['192.0.2.1'] } }));

it("requestHeaders sets API Gateway's headers, and drops connection headers", () => {
  const headers = headersOf(
    ['x-forwarded-proto', 'https'],
    ['x-forwarded-port', '443'],
    ['x-forwarded-for', '192.0.2.1'],
    ['x-amzn-trace-id', 'Root=1'],
    ['connection', 'close'],
    ['Transfer-Encoding', 'chunked'],
    ['X-HTTP-Method-Override', 'PUT'],
  );

  expect(headers).toEqual({
    'X-Forwarded-For': ['192.0.2.1, 127.0.0.1'],
    'X-Forwarded-Port': ['3000'],
    'X-Forwarded-Proto': ['http'],
  });
});

it('responseHeaders merges, remaps or drops single and multi-value headers', () => {
  const single = { 'content-type': 'text/csv', Link: 'a', 'Retry-After': 1, Date: 'x', Via: 'x' };

  expect(responseHeaders(single, { link: ['a', 'b'], Vary: ['Accept'] })).toEqual({
    'content-type': ['text/csv'],
    Link: ['a', 'b'],
    'Retry-After': ['1'],
    Vary: ['Accept'],
    'x-amzn-Remapped-Date': ['x'],
  });
});

it('responseHeaders has JSON as the default content type', () => {
  expect(responseHeaders({}, {})).toEqual({ 'Content-Type': ['application/json'] });
});

import { describe, expect, it } from 'vitest';
import { requestHeaders, responseHeaders } from '../../../../infra/local/api-gateway/header-mapping.ts';
import { httpRequest } from '../../../support/infra/http-request.ts';

const headersOf = (...rawHeaders: [name: string, value: string][]) =>
  requestHeaders(httpRequest({ rawHeaders }));

describe('requestHeaders', () => {
  it('has each header under the name that the client sent', () => {
    const headers = headersOf(['Accept', 'text/html'], ['accept', 'application/json'], ['X-Color', 'brown']);

    expect(headers).toMatchObject({ Accept: ['text/html', 'application/json'], 'X-Color': ['brown'] });
  });

  it('replaces the headers that API Gateway sets', () => {
    const headers = headersOf(
      ['x-forwarded-proto', 'https'],
      ['x-forwarded-port', '443'],
      ['x-forwarded-for', '192.0.2.1'],
      ['x-amzn-trace-id', 'Root=1'],
    );

    expect(headers).toEqual({
      'X-Forwarded-For': ['192.0.2.1, 127.0.0.1'],
      'X-Forwarded-Port': ['3000'],
      'X-Forwarded-Proto': ['http'],
      'X-Amzn-Trace-Id': [expect.stringMatching(/^Root=1-6b025595-[0-9a-f]{24}$/)],
    });
  });

  it.each(['Connection', 'Content-MD5', 'Expect', 'TE', 'Upgrade'])('drops %s', (name) => {
    expect(headersOf([name, 'x'])).not.toHaveProperty(name);
  });
});

describe('responseHeaders', () => {
  it('merges headers with multiValueHeaders', () => {
    const headers = responseHeaders({ Link: 'a', 'Retry-After': 1 }, { link: ['a', 'b'], Vary: ['Accept'] });

    expect(headers).toEqual({ Link: ['a', 'b'], 'Retry-After': ['1'], Vary: ['Accept'] });
  });

  it.each(['Date', 'Server', 'WWW-Authenticate', 'Connection'])('remaps %s', (name) => {
    expect(responseHeaders({ [name]: 'x' }, {})).toEqual({ [`x-amzn-Remapped-${name}`]: ['x'] });
  });

  it.each(['Transfer-Encoding', 'Host', 'Via'])('drops %s', (name) => {
    expect(responseHeaders({ [name]: 'x' }, {})).toEqual({});
  });
});

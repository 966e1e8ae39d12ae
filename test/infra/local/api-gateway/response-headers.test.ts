import { describe, expect, it } from 'vitest';
import { clientHeaders } from '../../../../infra/local/api-gateway/response-headers.ts';

describe('clientHeaders', () => {
  it('merges headers with multiValueHeaders', () => {
    const headers = clientHeaders({ Link: 'a', 'Retry-After': 1 }, { link: ['a', 'b'], Vary: ['Accept'] });

    expect(headers).toEqual({ Link: ['a', 'b'], 'Retry-After': ['1'], Vary: ['Accept'] });
  });

  it.each(['Date', 'Server', 'WWW-Authenticate', 'Connection'])('remaps %s', (name) => {
    expect(clientHeaders({ [name]: 'x' }, {})).toEqual({ [`x-amzn-Remapped-${name}`]: ['x'] });
  });

  it.each(['Transfer-Encoding', 'Host', 'Via'])('drops %s', (name) => {
    expect(clientHeaders({ [name]: 'x' }, {})).toEqual({});
  });
});

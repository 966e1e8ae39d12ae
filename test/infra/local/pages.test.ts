import { describe, expect, it } from 'vitest';
import { docsPages } from '../../../infra/local/pages.ts';

const pages = new Map(docsPages({ baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'a key' }));

const get = (path: string, headers: Readonly<Record<string, readonly string[]>> = {}) =>
  pages.get(`GET ${path}`)?.({
    method: 'GET',
    path,
    query: '',
    headers,
    body: '',
    isBase64Encoded: false,
    sourceIp: '127.0.0.1',
  });

describe('the reference', () => {
  it.each([
    ['127.0.0.1:3000', { host: ['127.0.0.1:3000'] }],
    ['localhost:8080', { host: ['localhost:8080'] }],
    ['127.0.0.1:3000', {}],
  ])('calls the API at %s when it is reached with %j', async (host, headers) => {
    const page = await get('/', headers);

    expect(page?.body).toContain(`{"baseUrl":"http://${host}/v1","apiKey":"a key"}`);
  });

  it('can be neither framed nor sniffed, and loads nothing from elsewhere', async () => {
    const page = await get('/');

    expect(page?.headers).toMatchObject({
      'Content-Security-Policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    expect(page?.headers['Content-Security-Policy']).not.toMatch(/https?:|\*|unsafe-eval/);
  });
});

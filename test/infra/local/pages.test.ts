import { describe, expect, it } from 'vitest';
import { docsPages } from '../../../infra/local/pages.ts';

const pages = new Map(docsPages({ baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'a key' }));

describe('the reference', () => {
  it.each([
    ['localhost:8080', { host: ['localhost:8080'] }],
    ['127.0.0.1:3000', {}],
  ])(
    'calls the API at %s when it is reached with %j, and loads nothing from elsewhere',
    async (host, headers) => {
      const page = await pages.get('GET /')?.({
        method: 'GET',
        path: '/',
        query: '',
        headers,
        body: '',
        isBase64Encoded: false,
        sourceIp: '127.0.0.1',
      });

      expect(page?.body).toContain(`{"baseUrl":"http://${host}/v1","apiKey":"a key"}`);
      expect(page?.headers).toMatchObject({
        'Content-Security-Policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
        'Cross-Origin-Resource-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      });
      expect(page?.headers['Content-Security-Policy']).not.toMatch(/https?:|\*|unsafe-eval/);
    },
  );
});

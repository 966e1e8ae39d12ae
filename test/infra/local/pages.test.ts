import { expect, it } from 'vitest';
import { docsPages } from '../../../infra/local/pages.ts';
import { httpRequest } from '../../support/infra/http-request.ts';

const pages = new Map(docsPages({ baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'a key' }));

it('the reference calls the API by the name by which it was reached, and loads nothing from elsewhere', async () => {
  const page = await pages.get('GET /')?.(httpRequest({ headers: { host: ['localhost:8080'] } }));

  expect(page?.body).toContain('{"baseUrl":"http://localhost:8080/v1","apiKey":"a key"}');
  expect(page?.headers).toMatchObject({
    'Content-Security-Policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
  expect(page?.headers['Content-Security-Policy']).not.toMatch(/https?:|\*|unsafe-eval/);
});

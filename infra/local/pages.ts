import { type DocsFile, docsFiles, type TryOut } from '../reference/page-files.ts';
import type { HttpResponse } from './http/http.ts';
import type { Page } from './http-server.ts';

/** The page loads nothing from elsewhere and can't be framed. Scalar adds inline styles. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  // The page holds a key.
  'Cache-Control': 'no-store',
};

/**
 * The API reference at the root of the local API, ready to try it with the local key. It calls the API by the name by
 * which it was itself reached: by another one, localhost for 127.0.0.1, say, the API would be of another origin.
 */
export function docsPages({ baseUrl, apiKey }: TryOut): [string, Page][] {
  const { host, pathname } = new URL(baseUrl);
  return [...docsFiles().keys()].map((name) => [
    `GET /${name === 'index.html' ? '' : name}`,
    async ({ headers: { host: [reached = host] = [] } }) =>
      responseWith(docsFiles({ baseUrl: `http://${reached}${pathname}`, apiKey }).get(name)),
  ]);
}

async function responseWith(file: DocsFile | undefined): Promise<HttpResponse> {
  if (!file) throw new Error('There is no such file of the reference.');
  return { status: 200, headers: { ...headers, 'Content-Type': file.contentType }, body: await file.read() };
}

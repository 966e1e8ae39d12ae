import { type DocsFile, docsFiles, type TryOut } from '../reference/page-files.ts';
import type { Page } from './http-server.ts';

/** The page loads nothing from elsewhere, is in no frame, and sends no form; Scalar styles elements as it goes. */
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
  // There is a key in the page.
  'Cache-Control': 'no-store',
};

/** The API reference at the root of the local API, ready to try it with the local key. */
export function docsPages(tryOut: TryOut): [string, Page][] {
  return [...docsFiles(tryOut)].map(([name, file]) => [
    `GET /${name === 'index.html' ? '' : name}`,
    pageOf(file),
  ]);
}

const pageOf =
  ({ contentType, read }: DocsFile): Page =>
  async () => ({
    status: 200,
    headers: { ...headers, 'Content-Type': contentType },
    body: await read(),
  });

import { type DocsFile, docsFiles, type TryOut } from '../reference/page-files.ts';
import type { Page } from './http-server.ts';

/** Nothing from elsewhere; Scalar styles elements as it goes. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; font-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

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
    headers: { 'Content-Type': contentType, 'Content-Security-Policy': policy, 'Cache-Control': 'no-store' },
    body: await read(),
  });

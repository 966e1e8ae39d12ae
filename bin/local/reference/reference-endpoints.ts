import type { Endpoint } from '../../local-api/http/read-request.ts';
import type { referenceFiles } from '../../reference/reference-files.ts';

export interface ReferenceRequest {
  readonly file: keyof typeof referenceFiles;
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** Returns the text of a file of the reference. */
export type RenderReference = (request: ReferenceRequest) => Promise<Buffer | string>;

const headers = {
  // A page cannot set this directive itself, unlike the others.
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  // The page holds a key.
  'Cache-Control': 'no-store',
};

/**
 * Returns the API reference at the root of the local API, ready to try with the local key. It calls the API
 * at the host name that the page was loaded from: any other, such as localhost for 127.0.0.1, would be
 * another origin.
 */
export function referenceEndpoints(
  { baseUrl, apiKey }: Omit<ReferenceRequest, 'file'>,
  render: RenderReference,
): [string, Endpoint][] {
  const { host, pathname } = new URL(baseUrl);
  const endpoint =
    (file: ReferenceRequest['file'], contentType: string): Endpoint =>
    async ({ headers: { host: [reached = host] = [] } }) => ({
      status: 200,
      headers: { ...headers, 'Content-Type': contentType },
      body: await render({ file, baseUrl: `http://${reached}${pathname}`, apiKey }),
    });

  return [
    ['GET /', endpoint('index.html', 'text/html; charset=utf-8')],
    ['GET /openapi.json', endpoint('openapi.json', 'application/json')],
  ];
}

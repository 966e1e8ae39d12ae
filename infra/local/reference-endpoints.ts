import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Endpoint } from './http/http.ts';

export interface ReferenceRequest {
  readonly file: 'index.html' | 'openapi.json';
  readonly baseUrl: string;
  readonly apiKey: string;
}

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
 * another origin. Each request gets a page of the current sources.
 */
export function referenceEndpoints({
  baseUrl,
  apiKey,
}: {
  baseUrl: string;
  apiKey: string;
}): [string, Endpoint][] {
  const { host, pathname } = new URL(baseUrl);
  const endpoint =
    (file: ReferenceRequest['file'], contentType: string): Endpoint =>
    async ({ headers: { host: [reached = host] = [] } }) => ({
      status: 200,
      headers: { ...headers, 'Content-Type': contentType },
      body: await write({ file, baseUrl: `http://${reached}${pathname}`, apiKey }),
    });

  return [
    ['GET /', endpoint('index.html', 'text/html; charset=utf-8')],
    ['GET /openapi.json', endpoint('openapi.json', 'application/json')],
  ];
}

/** Generates a page in a new thread, because this one caches the modules it loaded. */
async function write(workerData: ReferenceRequest): Promise<string> {
  const [body] = await once(
    new Worker(new URL('./reference-worker.ts', import.meta.url), { workerData }),
    'message',
  );
  return body;
}

import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { projectRoot } from '../project-root.ts';
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

/** How many files are kept: both of them, for two host names. */
const maxKept = 4;

/** What the reference is generated from. */
const sources = ['CHANGELOG.md', 'package.json', '{infra,shared}/**'];

interface ReferenceOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/**
 * Returns the API reference at the root of the local API, ready to try with the local key. It calls the API
 * at the host name that the page was loaded from: any other, such as localhost for 127.0.0.1, would be
 * another origin. It is generated once from the current sources, however many requests come at the same
 * time: any web page can cause them, and generating it takes 80 MB.
 */
export function referenceEndpoints({ baseUrl, apiKey }: ReferenceOptions): [string, Endpoint][] {
  const { host, pathname } = new URL(baseUrl);
  const kept = new LRUCache<string, Promise<Buffer>>({ max: maxKept });
  const inTurn = pLimit(1);
  let version: string | undefined;

  function bodyOf(request: ReferenceRequest): Promise<Buffer> {
    const current = versionOfSources();
    if (current !== version) kept.clear();
    version = current;
    const id = `${request.file} ${request.baseUrl}`;
    const body = kept.get(id) ?? inTurn(() => generate(request));
    kept.set(id, body);
    body.catch(() => kept.delete(id));
    return body;
  }

  const endpoint =
    (file: ReferenceRequest['file'], contentType: string): Endpoint =>
    async ({ headers: { host: [reached = host] = [] } }) => ({
      status: 200,
      headers: { ...headers, 'Content-Type': contentType },
      body: await bodyOf({ file, baseUrl: `http://${reached}${pathname}`, apiKey }),
    });

  return [
    ['GET /', endpoint('index.html', 'text/html; charset=utf-8')],
    ['GET /openapi.json', endpoint('openapi.json', 'application/json')],
  ];
}

/** Returns a text that differs when a source was changed, added or removed. */
const versionOfSources = () =>
  globSync(sources, { cwd: projectRoot })
    .map((file) => `${file} ${statSync(join(projectRoot, file), { throwIfNoEntry: false })?.mtimeMs}`)
    .join('\n');

/** Generates a file in a new thread, because this one caches the modules it loaded. */
async function generate(workerData: ReferenceRequest): Promise<Buffer> {
  const [body] = await once(
    new Worker(new URL('./reference-worker.ts', import.meta.url), { workerData }),
    'message',
  );
  return Buffer.from(body);
}

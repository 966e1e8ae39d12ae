import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { ReferenceRequest, RenderReference } from './reference-endpoints.ts';

/**
 * Returns what generates the API reference from the current sources: once for the requests that come meanwhile, and
 * one file at a time, because any web page can cause requests, and each takes 80 MB.
 */
export function referenceFromSources(): RenderReference {
  const running = new Map<string, Promise<Buffer>>();
  const inTurn = pLimit(1);

  return (request) => {
    const id = `${request.file} ${request.baseUrl}`;
    const body = running.get(id) ?? inTurn(generate, request).finally(() => running.delete(id));
    running.set(id, body);
    return body;
  };
}

/** Generates a file in a new thread, because this one caches the modules it loaded. */
async function generate(workerData: ReferenceRequest): Promise<Buffer> {
  const worker = new Worker(new URL('./reference-worker.ts', import.meta.url), { workerData });
  const [body] = await once(worker, 'message');
  return Buffer.from(body);
}

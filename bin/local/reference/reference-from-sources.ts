import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import type { ReferenceRequest, RenderReference } from './reference-endpoints.ts';

const generator = new URL('./reference-worker.ts', import.meta.url);

/** One file at a time, because any web page can cause requests, and each takes 80 MB. */
const inTurn = pLimit(1);

/** Generates the API reference from the current sources. */
export const referenceFromSources: RenderReference = (request) => inTurn(generate, request);

/** Generates a file in a new thread, because this one caches the modules it loaded. */
async function generate(workerData: ReferenceRequest): Promise<Buffer> {
  await using worker = new Worker(generator, { workerData });
  const [body] = await once(worker, 'message');
  return Buffer.from(body);
}

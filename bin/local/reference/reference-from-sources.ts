import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';
import { projectRoot } from '../../../infra/project-root.ts';
import { printable } from '../../cli/printable.ts';
import { withoutForeignFrames } from '../../local-api/own-frames.ts';
import type { ReferenceRequest, RenderReference } from './reference-endpoints.ts';

const generator = new URL('./reference-worker.ts', import.meta.url);

/**
 * Returns what generates the API reference from the current sources, or else the last that could be generated. It
 * generates once for the requests that come meanwhile, and one file at a time, because any web page can cause
 * requests, and each takes 80 MB.
 */
export function referenceFromSources(worker = generator, timeoutMs = 30_000): RenderReference {
  const running = new Map<string, Promise<Buffer>>();
  const last = new Map<string, Buffer>();
  const inTurn = pLimit(1);

  async function render(id: string, request: ReferenceRequest): Promise<Buffer> {
    try {
      const body = await generate(worker, request, timeoutMs);
      last.set(id, body);
      return body;
    } catch (error) {
      const body = last.get(id);
      if (!body) throw error;
      const text = error instanceof Error ? `${error.stack ?? error}` : String(error);
      console.error(
        `${printable(withoutForeignFrames(text, projectRoot))}\nThe last good reference is served.`,
      );
      return body;
    }
  }

  return (request) => {
    const id = `${request.file} ${request.baseUrl}`;
    const body = running.get(id) ?? inTurn(render, id, request).finally(() => running.delete(id));
    running.set(id, body);
    return body;
  };
}

/** Generates a file in a new thread, because this one caches the modules it loaded. */
async function generate(generator: URL, workerData: ReferenceRequest, timeoutMs: number): Promise<Buffer> {
  await using worker = new Worker(generator, { workerData });
  const fail = (problem: string) => () => {
    throw new Error(`The sources of the reference ${problem}.`);
  };
  const [body] = await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(fail('ended its thread')),
    setTimeout(timeoutMs, undefined, { ref: false }).then(fail(`ran for ${timeoutMs / 1000} s`)),
  ]);
  return Buffer.from(body);
}

import { once } from 'node:events';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import pLimit from 'p-limit';
import { projectRoot } from '../project-root.ts';
import type { ReferenceRequest, RenderReference } from './reference-endpoints.ts';

/** How many files are kept: both of them, for two host names. */
const maxKept = 4;

/** What the reference is generated from. */
const sources = ['CHANGELOG.md', 'package.json', '{infra,shared}/**'];

/**
 * Returns what generates the API reference once from the current sources, however many requests come at the
 * same time: any web page can cause them, and generating it takes 80 MB.
 */
export function referenceFromSources(): RenderReference {
  const kept = new LRUCache<string, Promise<Buffer>>({ max: maxKept });
  const inTurn = pLimit(1);
  let version: string | undefined;

  return (request) => {
    const current = versionOfSources();
    if (current !== version) kept.clear();
    version = current;
    const id = `${request.file} ${request.baseUrl}`;
    const body = kept.get(id) ?? inTurn(() => generate(request));
    kept.set(id, body);
    body.catch(() => kept.delete(id));
    return body;
  };
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

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { referenceFromSources } from '../../reference/reference-from-sources.ts';

const request = { file: 'index.html', baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'a key' } as const;
const worker = join(temporaryDirectory(), 'worker.mjs');
const source = (text: string) => writeFileSync(worker, text);
const posts = (page: string) =>
  source(`import { parentPort } from 'node:worker_threads'; parentPort.postMessage('${page}');`);

it.each([
  ['throws', "throw new Error('no reference');", 60_000, 'no reference'],
  ['exits', 'process.exit(0);', 60_000, 'ended its thread'],
  ['never ends', 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);', 4000, 'ran for 4 s'],
])('serves the last good page while the source %s', async (_title, mistake, timeoutMs, message) => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const render = referenceFromSources(pathToFileURL(worker), timeoutMs);

  posts('first');
  expect(`${await render(request)}`).toBe('first');
  source(mistake);
  expect(`${await render(request)}`).toBe('first');
  expect(printed).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(message));
  posts('second');
  expect(`${await render(request)}`).toBe('second');
});

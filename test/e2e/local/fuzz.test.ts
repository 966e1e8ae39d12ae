import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { apiKey, baseUrl, call } from '../../support/e2e/api-client.ts';
import { readResponses, send, violations } from '../../support/faults/fuzz.ts';
import { hostileRequests } from '../../support/faults/hostile-requests.ts';
import { CommandProcess } from '../../support/local/command-process.ts';
import { plainRequest } from '../../support/local/send-bytes.ts';

const { FUZZ_SEED, FUZZ_REQUESTS } = process.env;
const isLong = FUZZ_REQUESTS !== undefined;
const seed = Number(FUZZ_SEED ?? 20_261_120);
const requestCount = Number(FUZZ_REQUESTS ?? 150);

/** How many connections are open at once. */
const batchSize = 50;
const timeout = 15 * 60_000;

/** As many requests as it takes for every worker thread to run, and for caches and buffers to have their size. */
const warmUpCount = 10_000;
const plainRequestCount = 100_000;

/** A hundred bytes kept of each of 100,000 requests would be more. */
const allowedGrowthMegabytes = 8;

const goodHeaders = [
  'Cache-Control: no-store',
  'Strict-Transport-Security: max-age=63072000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'Content-Type: application/json',
];
const notFound = '{"code":"not_found","message":"No.","status":404}';

const responseOf = (status: number, body: string, headers: readonly string[] = goodHeaders) =>
  [`HTTP/1.1 ${status} X`, ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n');

describe('the oracle', () => {
  it.each([
    ['an error in the Error shape', responseOf(404, notFound), false, []],
    ['no response', '', false, ['0 responses instead of 1']],
    ['a 500', responseOf(500, notFound), false, [`status 500: ${notFound}`]],
    [
      'an error without a header',
      responseOf(404, notFound, goodHeaders.slice(1)),
      false,
      ['status 404 with Cache-Control: undefined'],
    ],
    ['a connection that the server leaves open', responseOf(200, '[]'), true, ['left open for 20 s']],
  ])('judges %s', (_title, bytes, isLeft, expected) => {
    expect(violations({ ...plainRequest, bytes: '' }, { bytes, isLeft })).toEqual(expected);
  });
});

describe('the local API', () => {
  it(`responds to each of ${requestCount} hostile requests (seed ${seed}) as it should, and to the next one all the same`, {
    timeout,
  }, async () => {
    const port = Number(new URL(baseUrl).port);
    const seen: string[] = [];

    for (let start = 0; start < requestCount; start += batchSize) {
      const batchSeed = seed + start;
      const requests = hostileRequests(apiKey, batchSeed, Math.min(batchSize, requestCount - start));

      const exchanges = await Promise.all(
        requests.map(async (request) => ({ request, received: await send(port, request) })),
      );
      const next = await call('GET', '/pets?limit=1').catch((error: Error) => ({ status: error.message }));

      const found = exchanges.flatMap(({ request, received }) =>
        violations(request, received).map((violation) => ({ violation, ...request })),
      );
      expect({ seed: batchSeed, found, next: next.status }).toEqual({
        seed: batchSeed,
        found: [],
        next: 200,
      });
      for (const { request, received } of exchanges) {
        const responses = readResponses(received.bytes, request.isHead);
        seen.push(request.kind, request.client.behaviour, ...responses.map(({ status }) => `${status}`));
      }
    }

    expect(seen).toEqual(expect.arrayContaining(['200', '400']));
    if (isLong) {
      const counts = Object.entries(Object.groupBy(seen, (what) => what));
      console.table(counts.map(([what, each]) => ({ what, count: each?.length })));
    }
  });

  it.runIf(isLong)(
    `keeps nothing in memory of ${plainRequestCount} requests of good clients`,
    {
      timeout,
    },
    async () => {
      const local = new CommandProcess('--inspect=127.0.0.1:0', ['bin/local.ts', '--port', '0', '--json']);
      onTestFinished(() => void local.exit('SIGTERM'));
      const [ready] = await local.printed('stdout', /^.*\n/);
      const [, inspector = ''] = await local.printed('stderr', /Debugger listening on (ws:\S+)/);
      const api = JSON.parse(ready);

      await sendPlainRequests(api, warmUpCount);
      const before = await heapMegabytes(inspector);
      await sendPlainRequests(api, plainRequestCount);
      const after = await heapMegabytes(inspector);

      console.log(`Heap: ${before.toFixed(1)} MB before, ${after.toFixed(1)} MB after.`);
      expect(after - before).toBeLessThan(allowedGrowthMegabytes);
    },
  );
});

/** Lists and gets by so many clients that each keep a connection. */
async function sendPlainRequests(
  api: { readonly baseUrl: string; readonly apiKey: string },
  count: number,
): Promise<void> {
  const headers = { Authorization: `Bearer ${api.apiKey}` };
  const paths = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? '/pets' : '/pets/1')).values();
  /** So many requests at once are more than a method takes. */
  const statusWhenLetThrough = async (path: string): Promise<number> => {
    const response = await fetch(`${api.baseUrl}${path}`, { headers });
    await response.arrayBuffer();
    if (response.status !== 429) return response.status;
    await setTimeout(1000 * Number(response.headers.get('Retry-After')));
    return statusWhenLetThrough(path);
  };
  const client = async () => {
    for (const path of paths) expect(await statusWhenLetThrough(path)).toBe(path === '/pets' ? 200 : 404);
  };
  await Promise.all(Array.from({ length: 16 }, client));
}

/** What is in use of the heap of a process's main thread once its garbage is collected, by Node's inspector. */
async function heapMegabytes(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector);
  await once(socket, 'open');
  const ask = async (id: number, method: string) => {
    socket.send(JSON.stringify({ id, method }));
    const [{ data }] = await once(socket, 'message');
    return JSON.parse(data).result;
  };
  await ask(1, 'HeapProfiler.collectGarbage');
  const { usedSize } = await ask(2, 'Runtime.getHeapUsage');
  socket.close();
  return usedSize / 1024 / 1024;
}

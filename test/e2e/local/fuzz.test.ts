import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Received, readResponses, send, violations } from '../../support/faults/fuzz.ts';
import { type HostileRequest, hostileRequests } from '../../support/faults/hostile-requests.ts';
import { type RunningApi, startLocalApi } from '../../support/local/local-process.ts';

const { FUZZ_SEED, FUZZ_REQUESTS, FUZZ_HEAP_REQUESTS } = process.env;
const isLong = FUZZ_REQUESTS !== undefined;
const seed = Number(FUZZ_SEED ?? 20_261_120);
const requestCount = Number(FUZZ_REQUESTS ?? 300);
const plainRequestCount = Number(FUZZ_HEAP_REQUESTS ?? (isLong ? 100_000 : 0));

/** How many connections are open at once. */
const batchSize = 20;
const timeout = 15 * 60_000;

/** As many requests as it takes for every worker thread to run, and for caches and buffers to have their size. */
const warmUpCount = 10_000;

/** A hundred bytes kept of each of 100,000 requests would be more. */
const allowedGrowthMegabytes = 8;

const hostileRequest: HostileRequest = {
  kind: 'path',
  bytes: '',
  client: { behaviour: 'at once' },
  responses: 1,
  isHead: false,
  isForAws: false,
};

const goodHeaders = [
  'Cache-Control: no-store',
  'Strict-Transport-Security: max-age=63072000; includeSubDomains',
  'X-Content-Type-Options: nosniff',
  'Content-Type: application/json',
];
const notFound = '{"code":"not_found","message":"No.","status":404}';

const responseOf = (status: number, body: string, headers: readonly string[] = goodHeaders) =>
  [`HTTP/1.1 ${status} X`, ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n');

/** Enough of a request to send it again by hand, beside the seed that makes it again. */
const describeRequest = ({ kind, client, bytes }: HostileRequest) =>
  `${kind}, ${JSON.stringify(client)}, ${bytes.length} bytes: ${JSON.stringify(bytes.slice(0, 2000))}`;

describe('the oracle', () => {
  it.each([
    ['an error in the Error shape', responseOf(404, notFound), []],
    ['no response', '', ['0 responses instead of 1']],
    ['a 500', responseOf(500, notFound), [`status 500: ${notFound}`]],
    [
      'an error without a header',
      responseOf(404, notFound, goodHeaders.slice(1)),
      ['status 404 with Cache-Control: undefined'],
    ],
  ])('judges %s', (_title, bytes, expected) => {
    const found = violations(hostileRequest, { bytes, isLeft: false });

    expect(found).toEqual(expected);
  });

  it('finds a connection that the server leaves open', () => {
    const found = violations(hostileRequest, { bytes: responseOf(200, '[]'), isLeft: true });

    expect(found).toEqual(['left open for 20 s']);
  });
});

describe(`the local API, to ${requestCount} hostile requests (seed ${seed})`, () => {
  let api: RunningApi;

  beforeAll(async () => {
    api = await startLocalApi('--stage', 'production');
  });
  afterAll(() => api.process.exit('SIGTERM'));

  it('responds to each as it should, and the next one all the same', { timeout }, async () => {
    const port = Number(new URL(api.baseUrl).port);
    const figures = { requests: new Map<string, number>(), responses: new Map<string, number>() };
    const before = residentMegabytes(api);

    for (let start = 0; start < requestCount; start += batchSize) {
      const batchSeed = seed + start;
      const count = Math.min(batchSize, requestCount - start);
      const requests = hostileRequests(api.apiKey, batchSeed, count);

      const received = await Promise.all(
        requests.map(async (request) => ({ request, received: await send(port, request) })),
      );
      const { status } = await api
        .call('GET', '/pets?limit=1')
        .catch((error: Error) => ({ status: error.message }));

      const found = received.flatMap(({ request, received }) =>
        violations(request, received).map((violation) => `${violation} for ${describeRequest(request)}`),
      );
      expect({ seed: batchSeed, found, next: status }).toEqual({ seed: batchSeed, found: [], next: 200 });
      for (const exchange of received) countExchange(figures, exchange);
    }

    expect(figures.responses.get('200')).toBeGreaterThan(0);
    expect(figures.responses.get('400')).toBeGreaterThan(0);
    if (isLong) {
      console.table(Object.fromEntries(figures.requests));
      console.table(Object.fromEntries(figures.responses));
      console.log(`Resident memory: ${before} MB before, ${residentMegabytes(api)} MB after.`);
    }
  });
});

describe.runIf(plainRequestCount > 0)(
  `the local API, to ${plainRequestCount} requests of good clients`,
  () => {
    let api: RunningApi;

    beforeAll(async () => {
      vi.stubEnv('NODE_OPTIONS', '--inspect=127.0.0.1:0');
      api = await startLocalApi('--stage', 'production');
      vi.unstubAllEnvs();
    });
    afterAll(() => api.process.exit('SIGTERM'));

    it('keeps nothing of a request in memory', { timeout }, async () => {
      await sendPlainRequests(api, warmUpCount);
      const [, inspector = ''] = await api.process.printed('stderr', /Debugger listening on (ws:\S+)/);
      const before = await heapMegabytes(inspector);
      const residentBefore = residentMegabytes(api);
      await sendPlainRequests(api, plainRequestCount);
      const after = await heapMegabytes(inspector);

      console.log(
        `After ${plainRequestCount} requests: heap ${after.toFixed(1)} MB, ${before.toFixed(1)} before; resident ${residentMegabytes(api)} MB, ${residentBefore} before.`,
      );
      expect(after - before).toBeLessThan(allowedGrowthMegabytes);
    });
  },
);

/** Lists and gets by so many clients that each keep a connection. */
async function sendPlainRequests({ baseUrl, apiKey }: RunningApi, count: number): Promise<void> {
  const paths = Array.from({ length: count }, (_, index) => (index % 2 === 0 ? '/pets' : '/pets/1')).values();
  const client = async () => {
    for (const path of paths) {
      const status = await getWhenLetThrough(`${baseUrl}${path}`, apiKey);
      expect(status).toBe(path === '/pets' ? 200 : 404);
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
}

/** The status of a response that is no 429: so many requests at once are more than a method takes. */
async function getWhenLetThrough(url: string, apiKey: string): Promise<number> {
  for (;;) {
    const response = await fetch(url, { headers: { Authorization: `Bearer ${apiKey}` } });
    await response.arrayBuffer();
    if (response.status !== 429) return response.status;
    await setTimeout(1000 * Number(response.headers.get('Retry-After')));
  }
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

/** The resident memory of a local API's process, where the system tells it. */
function residentMegabytes({ process: { pid } }: RunningApi): number {
  const file = `/proc/${pid}/status`;
  const kilobytes = existsSync(file)
    ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1]
    : undefined;
  return Math.round(Number(kilobytes ?? 0) / 1024);
}

function countExchange(
  { requests, responses }: { requests: Map<string, number>; responses: Map<string, number> },
  { request, received }: { request: HostileRequest; received: Received },
): void {
  const { behaviour } = request.client;
  increment(requests, request.kind);
  if (behaviour !== 'at once') increment(requests, `of them ${behaviour}`);
  const found = readResponses(received.bytes, request.isHead);
  for (const { status } of found) increment(responses, `${status}`);
  if (found.length === 0) increment(responses, 'none');
}

const increment = (counts: Map<string, number>, name: string) =>
  counts.set(name, (counts.get(name) ?? 0) + 1);

import { describe, expect, it } from 'vitest';
import { apiKey, baseUrl, call } from '../../support/e2e/api-client.ts';
import { readResponses, send, violations } from '../../support/faults/fuzz.ts';
import { hostileRequests } from '../../support/faults/hostile-requests.ts';
import { plainRequest } from '../../support/local/send-bytes.ts';

const { FUZZ_SEED, FUZZ_REQUESTS } = process.env;
const seed = Number(FUZZ_SEED ?? 20_261_120);
const requestCount = Number(FUZZ_REQUESTS ?? 150);

/** How many connections are open at once. */
const batchSize = 50;
const timeout = 15 * 60_000;

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
  ])('finds what is wrong with %s', (_title, bytes, isLeft, expected) => {
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
    if (FUZZ_REQUESTS !== undefined) {
      const counts = Object.entries(Object.groupBy(seen, (what) => what));
      console.table(counts.map(([what, each]) => ({ what, count: each?.length })));
    }
  });
});

import fc from 'fast-check';
import pMap from 'p-map';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { path } from '../../../../test/support/contract/own-operations.ts';
import { apiKey, baseUrl, call } from '../../../../test/support/e2e/api-client.ts';
import { commonHeaders, ErrorBody } from '../../../../test/support/e2e/expect-error.ts';
import { hostileRequests, malformedRequest, noHttp } from '../../../../test/support/fuzz/hostile-requests.ts';
import { type HttpRequest, toBytes } from '../../../../test/support/http/http-request.ts';
import { sendBytes } from '../../../../test/support/http/send-bytes.ts';

const { FUZZ_SEED = 20_261_120, FUZZ_REQUESTS = 150 } = process.env;
const seed = Number(FUZZ_SEED);
const port = Number(new URL(baseUrl).port);
const requestCount = Number(FUZZ_REQUESTS);

const bytesOf = (requests: readonly HttpRequest[]) => toBytes(requests, apiKey);
const hostile = fc.oneof(
  hostileRequests.map((requests) => ({ isIncomplete: false, bytes: bytesOf(requests) })),
  fc
    .oneof(
      noHttp,
      malformedRequest.map((request) => bytesOf([request])),
    )
    .map((bytes) => ({ isIncomplete: true, bytes })),
);
const JsonError = v.pipe(v.string(), v.parseJson(), ErrorBody);

const title = `${requestCount} hostile requests get contract-conforming responses (seed ${seed})`;
it(title, { timeout: 15 * 60_000 }, async () => {
  const requests = fc.sample(hostile, { seed, numRuns: requestCount });
  const statuses = new Set<number>();
  const expectResponses = async ({ isIncomplete, bytes }: (typeof requests)[number]) => {
    const responses = await sendBytes(port, bytes, isIncomplete);

    const sent = isIncomplete ? 0 : bytes.split('Authorization: ').length - 1;
    expect(responses.length, bytes.slice(0, 500)).toBeGreaterThanOrEqual(sent);
    for (const { status, headers, body } of responses) {
      statuses.add(status);
      if (status === 200 || status === 201) continue;
      expect(`${status}`, bytes.slice(0, 500)).toMatch(/^4\d\d$/);
      // Node rejects what is not HTTP, and unknown expectations with a 417, whose chunked body is empty.
      if (body === '' || `${status} ${body}` === '417 0\r\n\r\n') continue;
      expect(headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
      expect(v.parse(JsonError, body).status).toBe(status);
    }
  };

  await pMap(requests, expectResponses, { concurrency: 50 });

  expect((await call('GET', path)).status).toBe(200);
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 400, 401, 404]));
});

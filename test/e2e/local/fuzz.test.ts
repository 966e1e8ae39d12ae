import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { ErrorBody } from '../../../shared/contract/errors/error-table.ts';
import { apiKey, baseUrl, call } from '../../support/e2e/api-client.ts';
import { commonHeaders } from '../../support/e2e/expect-error.ts';
import { type HostileRequest, hostileRequest } from '../../support/local/hostile-requests.ts';
import { type RawResponse, sendBytes } from '../../support/local/send-bytes.ts';

const { FUZZ_SEED, FUZZ_REQUESTS } = process.env;
const seed = Number(FUZZ_SEED ?? 20_261_120);
const port = Number(new URL(baseUrl).port);
const requestCount = Number(FUZZ_REQUESTS ?? 150);

/** How many requests are sent at the same time. */
const batchSize = 50;

const requests = fc.array(hostileRequest(apiKey), { minLength: batchSize, maxLength: batchSize });
const JsonError = v.pipe(v.string(), v.parseJson(), ErrorBody);

/** Sends a request, checks the responses against the contract, and returns them. */
async function expectResponses({ isIncomplete, bytes }: HostileRequest): Promise<RawResponse[]> {
  const responses = await sendBytes(port, bytes, isIncomplete);

  const sent = isIncomplete ? 0 : bytes.split('Authorization: ').length - 1;
  expect(responses.length, bytes.slice(0, 500)).toBeGreaterThanOrEqual(sent);
  for (const response of responses.filter(({ status }) => status !== 200 && status !== 201)) {
    expect(`${response.status}`, bytes.slice(0, 500)).toMatch(/^4\d\d$/);
    if (response.body !== '') expectErrorShape(response);
  }
  return responses;
}

function expectErrorShape({ status, headers, body }: RawResponse): void {
  expect(headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
  expect(v.parse(JsonError, body).status).toBe(status);
}

it(`${requestCount} hostile requests get contract-conforming responses (seed ${seed})`, {
  timeout: 15 * 60_000,
}, async () => {
  const counts: Record<string, number> = {};

  const batch = fc.asyncProperty(requests, async (hostile) => {
    const responses = await Promise.all(hostile.map(expectResponses));
    for (const { status } of responses.flat()) counts[status] = (counts[status] ?? 0) + 1;
    expect((await call('GET', '/pets?limit=1')).status).toBe(200);
  });
  await fc.assert(batch, { seed, numRuns: requestCount / batchSize, endOnFailure: true });

  expect(Object.keys(counts)).toEqual(expect.arrayContaining(['200', '201', '400', '401', '404']));
  if (FUZZ_REQUESTS !== undefined) console.table(counts);
});

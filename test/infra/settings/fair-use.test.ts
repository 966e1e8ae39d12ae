import { expect, it } from 'vitest';
import { tokenBucket } from '../../../bin/local-api/api-gateway/token-bucket.ts';

/** A client's 600 requests in a minute, evenly spread, in milliseconds. */
const steady = Array.from({ length: 600 }, (_, index) => index * 100 + 37);

/** Returns the share of the steady client's requests that get a 429 while others send theirs. */
function refused(others: number, seconds: number): number {
  const admits = tokenBucket({ rate: 400, burst: 80 });
  const requests = [
    ...steady.map((time) => ({ time, isSteady: true })),
    ...Array.from({ length: others }, (_, index) => ({
      time: (index * seconds * 1000) / others,
      isSteady: false,
    })),
  ].sort((a, b) => a.time - b.time);
  const rejected = requests.filter(({ time }) => !admits(time));
  return rejected.filter(({ isSteady }) => isSteady).length / steady.length;
}

// The web ACL admits the requests of a minute at any speed.
it.each([
  [1, 0.09],
  [2, 0.2],
])('%i keys that send 3,000 requests at once take at most %d of the minute of others', (keys, share) => {
  const durations = Array.from({ length: 60 }, (_, index) => index + 1);

  const worst = Math.max(...durations.map((seconds) => refused(keys * 3000, seconds)));

  expect(worst).toBeGreaterThan(share - 0.02);
  expect(worst).toBeLessThanOrEqual(share);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../../infra/local/api-gateway/token-bucket.ts';

/** How many of some tries at one instant succeed. */
const takesOf = (bucket: TokenBucket, tries: number, now: number) =>
  Array.from({ length: tries }, () => bucket.take(now)).filter(Boolean).length;

describe('a token bucket', () => {
  it('gives as many tokens at once as the burst, and then none', () => {
    const bucket = new TokenBucket(1, 3, 0);

    expect(takesOf(bucket, 5, 0)).toBe(3);
  });

  it('is filled at the rate', () => {
    const bucket = new TokenBucket(2, 3, 0);
    takesOf(bucket, 3, 0);

    expect(bucket.take(499)).toBe(false);
    expect(bucket.take(500)).toBe(true);
    expect(bucket.take(500)).toBe(false);
  });

  it('never holds more than the burst', () => {
    const bucket = new TokenBucket(10, 3, 0);

    expect(takesOf(bucket, 5, 60_000)).toBe(3);
  });

  it('never gives more than the burst and what the rate adds', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 2000 }));

    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 50 }),
        waits,
        (rate, burst, ms) => {
          const bucket = new TokenBucket(rate, burst, 0);
          let now = 0;
          let taken = 0;

          for (const wait of ms) {
            now += wait;
            if (bucket.take(now)) taken += 1;
          }

          expect(taken).toBeLessThanOrEqual(burst + (now / 1000) * rate);
        },
      ),
    );
  });
});

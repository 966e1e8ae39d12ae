import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TokenBucket } from '../../../../infra/local/api-gateway/token-bucket.ts';

describe('a token bucket', () => {
  it('gives as many tokens at once as the burst, and is filled at the rate, to the burst', () => {
    const bucket = new TokenBucket(2, 3, 0);
    const takenAt = (now: number) => Array.from({ length: 5 }, () => bucket.take(now)).filter(Boolean).length;

    expect([0, 499, 500, 60_000].map(takenAt)).toEqual([3, 0, 1, 3]);
  });

  it('never gives more than the burst and what the rate adds', () => {
    const waits = fc.array(fc.integer({ min: 0, max: 2000 }));
    const size = fc.integer({ min: 1, max: 50 });

    fc.assert(
      fc.property(size, size, waits, (rate, burst, ms) => {
        const bucket = new TokenBucket(rate, burst, 0);
        let now = 0;
        let taken = 0;

        for (const wait of ms) {
          now += wait;
          if (bucket.take(now)) taken += 1;
        }

        expect(taken).toBeLessThanOrEqual(burst + (now / 1000) * rate);
      }),
    );
  });
});

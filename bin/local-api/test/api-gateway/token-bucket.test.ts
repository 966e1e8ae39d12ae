import { expect, it } from 'vitest';
import { tokenBucket } from '../../api-gateway/token-bucket.ts';

it('a token bucket holds the burst and refills at the rate', () => {
  const take = tokenBucket({ rate: 2, burst: 3 });
  const takenAt = (now: number) => Array.from({ length: 5 }, () => take(now)).filter(Boolean).length;

  expect([0, 499, 500, 60_000].map(takenAt)).toEqual([3, 0, 1, 3]);
});

import { expect, it } from 'vitest';
import { TokenBucket } from '../../../../infra/local/api-gateway/token-bucket.ts';

it('a token bucket gives as many tokens at once as the burst, and is filled at the rate, to the burst', () => {
  const bucket = new TokenBucket(2, 3, 0);
  const takenAt = (now: number) => Array.from({ length: 5 }, () => bucket.take(now)).filter(Boolean).length;

  expect([0, 499, 500, 60_000].map(takenAt)).toEqual([3, 0, 1, 3]);
});

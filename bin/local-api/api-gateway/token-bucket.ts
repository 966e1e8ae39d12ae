import type { Route } from '../template/deployment.ts';

/**
 * Returns API Gateway's throttling: a bucket of `burst` tokens, refilled at `rate` tokens per second. Each
 * call takes a token, and returns whether there was one; `now` is in milliseconds.
 */
export function tokenBucket({ rate, burst }: Route['throttling']): (now: number) => boolean {
  let tokens = burst;
  let filledAt = 0;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - filledAt) / 1000) * rate);
    filledAt = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

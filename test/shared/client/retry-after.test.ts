import { afterEach, expect, it, vi } from 'vitest';
import { retryAfterOf } from '../../../shared/client/retry-after.ts';

afterEach(() => vi.useRealTimers());

it.each([
  ['0', undefined],
  ['120', 120],
  ['Sun, 06 Nov 1994 08:51:37 GMT', 120],
  ['Sunday, 06-Nov-94 08:51:37 GMT', 120],
  ['Sun Nov  6 08:51:37 1994', 120],
  ['Sun, 06 Nov 1994 08:48:00 GMT', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['soon', undefined],
  ['Sunday 1', undefined],
])('retryAfterOf reads "%s"', (header, seconds) => {
  vi.useFakeTimers({ now: Date.UTC(1994, 10, 6, 8, 49, 37) });

  expect(retryAfterOf(new Headers({ 'Retry-After': header }))).toBe(seconds);
});

it('retryAfterOf returns undefined without the header', () => {
  expect(retryAfterOf(new Headers())).toBeUndefined();
});

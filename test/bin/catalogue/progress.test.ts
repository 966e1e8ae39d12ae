import { expect, it } from 'vitest';
import { statusText } from '../../../bin/catalogue/progress.ts';
import { createRecentRate } from '../../../bin/catalogue/recent-rate.ts';

it.each([
  [{ rate: 812.4, rest: 8124, wait: 0 }, '812/s | 10s left'],
  [{ rate: 2.5, rest: 250, wait: -5 }, '2.5/s | 1m40s left'],
  [{ rate: 1, rest: 7260, wait: 0 }, '1.0/s | 2h1m left'],
  [{ rate: 0, rest: 10, wait: 0 }, '-/s'],
  [{ rate: 812, rest: 10, wait: 7100 }, 'waiting, next try in 8 s'],
])('what stands beside the bar of an import for %o is %s', ({ rate, rest, wait }, text) => {
  expect(statusText(rate, rest, wait)).toBe(text);
});

it('the recent rate is that of the last ten seconds, whatever was before', () => {
  const rateOf = createRecentRate(1000);
  const rates: number[] = [];
  // A hundred rows a second, ten a second, and after a pause of half a minute fifty a second.
  for (let second = 0; second <= 100; second += 1) {
    const slow = Math.min(Math.max(0, second - 20), 30) * 10;
    const count = Math.min(second, 20) * 100 + slow + Math.max(0, second - 80) * 50;
    rates[second] = Math.round(rateOf(count, 1000 + second * 1000));
  }

  const picked = [0, 5, 20, 45, 70, 82, 90].map((second) => rates[second]);
  expect(picked).toStrictEqual([0, 100, 100, 10, 0, 50, 50]);
});

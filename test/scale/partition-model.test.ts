import { expect, it } from 'vitest';
import { kinds, type Scenario, throttledShares } from './partition-model.ts';

const young = { table: 4, status: 1 };
/** 10⁹ pets of 115 bytes, of which 40% are available, at 10 GB per partition. */
const grown = { table: 12, status: 5 };
const pagesOf20 = { pageUnits: 0.5, firstPages: 0.5 };
const pagesOf100 = { pageUnits: 1.5, firstPages: 0.5 };

/** Returns in which minutes of an hour each kind of request is throttled: the first, and the last. */
function throttledMinutes(scenario: Scenario) {
  const shares = throttledShares(scenario, 60);
  const minutesOf = (kind: (typeof kinds)[number]) => {
    const minutes = shares.flatMap((share, minute) => (share[kind] > 0 ? [minute] : []));
    return minutes.length === 0 ? 'never' : `${minutes.at(0)} to ${minutes.at(-1)}`;
  };
  return Object.fromEntries(kinds.map((kind) => [kind, minutesOf(kind)]));
}

/** Returns the percentages of each kind of request that a minute throttles. */
function throttledPercent(scenario: Scenario, minute: number) {
  const shares = throttledShares(scenario, minute + 1).at(-1);
  return Object.fromEntries(kinds.map((kind) => [kind, Math.round((shares?.[kind] ?? 0) * 100)]));
}

const never = { creates: 'never', 'first pages': 'never', 'later pages': 'never', gets: 'never' };

it.each([
  [100, 'young', young],
  [1000, 'young', young],
  [100, 'grown', grown],
  [1000, 'grown', grown],
  [10_000, 'grown', grown],
])('%i requests a second to a %s table are not throttled', (requestsPerSecond, _age, partitions) => {
  expect(throttledMinutes({ requestsPerSecond, partitions, ...pagesOf100 })).toEqual(never);
});

it('10,000 requests a second to a young table throttle creates until the index is split twice', () => {
  const load = { requestsPerSecond: 10_000, partitions: young, ...pagesOf20 };

  expect(throttledMinutes(load)).toEqual({ ...never, creates: '0 to 19' });
  expect(throttledPercent(load, 0)).toMatchObject({ creates: 50 });
});

it('pages of 100 from a young table are throttled by the index too', () => {
  const load = { requestsPerSecond: 10_000, partitions: young, ...pagesOf100 };

  expect(throttledMinutes(load)).toEqual({
    creates: '0 to 19',
    'first pages': '0 to 19',
    'later pages': '0 to 19',
    gets: '0 to 9',
  });
  expect(throttledPercent(load, 0)).toEqual({ creates: 50, 'first pages': 33, 'later pages': 33, gets: 3 });
  expect(throttledPercent(load, 10)).toEqual({ creates: 1, 'first pages': 12, 'later pages': 6, gets: 0 });
});

it('first pages of 100 are throttled forever, because no split divides them', () => {
  const load = { requestsPerSecond: 10_000, partitions: grown, pageUnits: 1.5, firstPages: 1 };

  expect(throttledMinutes(load)).toMatchObject({ 'first pages': '0 to 59' });
});

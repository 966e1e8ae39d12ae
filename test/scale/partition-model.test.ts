import { expect, it } from 'vitest';
import { type Scenario, throttledShares } from './partition-model.ts';

const young = { table: 4, status: 1 };
/** 10⁹ pets of 115 bytes, of which 40% are available, at 10 GB per partition. */
const grown = { table: 12, status: 5 };
const pagesOf20 = { pageUnits: 0.5, firstPages: 0.5 };
const pagesOf100 = { pageUnits: 1.5, firstPages: 0.5 };

/** Returns in which minutes of an hour each kind of request is throttled: the first, and the last. */
function throttledMinutes(scenario: Scenario) {
  const shares = throttledShares(scenario, 60);
  const minutesOf = (request: 'creates' | 'pages' | 'gets') => {
    const minutes = shares.flatMap((share, minute) => (share[request] > 0 ? [minute] : []));
    return minutes.length === 0 ? 'never' : `${minutes.at(0)} to ${minutes.at(-1)}`;
  };
  return { creates: minutesOf('creates'), pages: minutesOf('pages'), gets: minutesOf('gets') };
}

const never = { creates: 'never', pages: 'never', gets: 'never' };

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
  expect(throttledShares(load, 1)).toEqual([{ creates: 0.5, pages: 0, gets: 0 }]);
});

it('pages of 100 from a young table are throttled by the index too', () => {
  const load = { requestsPerSecond: 10_000, partitions: young, ...pagesOf100 };

  const percent = throttledShares(load, 20).map(({ creates, pages }) =>
    [creates, pages].map((share) => Math.round(share * 100)),
  );
  expect(throttledMinutes(load)).toMatchObject({ creates: '0 to 19', pages: '0 to 19' });
  expect([percent[0], percent[10]]).toEqual([
    [50, 33],
    [3, 12],
  ]);
});

it('first pages of 100 are throttled for ever, because no split divides them', () => {
  const load = { requestsPerSecond: 10_000, partitions: grown, pageUnits: 1.5, firstPages: 1 };

  expect(throttledMinutes(load)).toMatchObject({ pages: '0 to 59' });
});

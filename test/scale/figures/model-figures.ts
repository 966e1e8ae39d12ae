import { kinds, type Scenario, throttledShares } from '../partition-model.ts';
import { petBytes } from '../pet-sizes.ts';
import { markdownTable } from './markdown-table.ts';
import { percent, stepChart } from './step-chart.ts';

// What the model of DynamoDB's partitions throttles.

/** https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/ */
const partitionGigabytes = 10;

/** The share of pets with the status that clients list. */
export const availableShare = 0.4;

/** The partitions of a new on-demand table, and of one with so many pets. */
export const young = { table: 4, status: 1 };
const grownTable = (1_000_000_000 * petBytes) / 1e9 / partitionGigabytes;
export const grown = { table: Math.ceil(grownTable), status: Math.ceil(grownTable * availableShare) };

export const pagesOf100 = { pageUnits: 1.5, firstPages: 0.5 };
/** No client reads on. */
const onlyFirstPages = { pageUnits: 1.5, firstPages: 1 };

const scenarios: readonly (readonly [label: string, Scenario])[] = [
  ...[100, 1000, 10_000].flatMap((requestsPerSecond) => [
    [
      `${requestsPerSecond.toLocaleString('en')}, young`,
      { requestsPerSecond, partitions: young, ...pagesOf100 },
    ] as const,
    [
      `${requestsPerSecond.toLocaleString('en')}, grown`,
      { requestsPerSecond, partitions: grown, ...pagesOf100 },
    ] as const,
  ]),
  ['10,000, grown, first pages alone', { requestsPerSecond: 10_000, partitions: grown, ...onlyFirstPages }],
];

const minutes = 60;

/** Returns when a kind of request is throttled, and how much at most. */
function throttledWhen(shares: readonly number[]): string {
  const last = shares.findLastIndex((share) => share > 0);
  if (last === -1) return 'never';
  if (shares[0] === 0) throw new Error('The model throttles later: say when it starts.');
  const duration = last === minutes - 1 ? 'always' : `${last + 1} minutes`;
  return `${duration}, ${percent(Math.max(...shares))} at first`;
}

/** The minutes after which a young table with 10,000 requests a second throttles nothing. */
export function minutesOfThrottles(): number {
  const load = { requestsPerSecond: 10_000, partitions: young, ...pagesOf100 };
  const shares = throttledShares(load, minutes);
  return 1 + shares.findLastIndex((minute) => kinds.some((kind) => minute[kind] > 0));
}

/** The first throttle is in the first minute of each scenario, if there is any. */
export function throttlesTable(): string {
  const rows = scenarios.map(([label, scenario]) => {
    const shares = throttledShares(scenario, minutes);
    return [label, ...kinds.map((kind) => throttledWhen(shares.map((minute) => minute[kind])))];
  });
  return markdownTable(['requests per second, table', ...kinds], rows);
}

/** The model at 10,000 requests a second with pages of 100, from a young table. */
export function throttlesPicture(): string {
  const load = { requestsPerSecond: 10_000, partitions: young };
  const read = throttledShares({ ...load, ...pagesOf100 }, 40);
  const notReadOn = throttledShares({ ...load, ...onlyFirstPages }, 40);
  return stepChart({
    title: 'Throttled in the model, young table, 10,000/s',
    lines: {
      creates: read.map(({ creates }) => creates),
      'first pages': read.map((minute) => minute['first pages']),
      'later pages': read.map((minute) => minute['later pages']),
      'first pages alone': notReadOn.map((minute) => minute['first pages']),
    },
    highest: 0.6,
  });
}

import { createHash } from 'node:crypto';
import { idOf } from '../../shared/tables/creation.ts';

// A model of DynamoDB's partitions under this service's load. Nothing here was measured on AWS.

/**
 * Units per second of a partition.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
export const limits = { read: 3000, write: 1000 };

/**
 * Minutes at the limit after which DynamoDB splits a partition. AWS documents that it splits, also by the sort
 * key, but not when. It also lends unused capacity of five minutes, which this model leaves out.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 */
export const minutesUntilSplit = 10;

/** The share of each kind of request, with many creates. */
export const mix = { creates: 0.2, gets: 0.2, allPets: 0.3, availablePets: 0.3 };

/** Pets that stand for all, by their id from 0 to 1, and by the hash of their id. */
const ids = Array.from({ length: 1000 }, (_, key) => idOf({ client: 'acme', key: `${key}` }, 0));
const byId = ids.map((id) => Number(id) / 2 ** 53);
const byHash = ids.map((id) => createHash('md5').update(`${id}`).digest().readUInt32BE() / 2 ** 32);

export interface Scenario {
  readonly requestsPerSecond: number;
  /** How many partitions the table has, and how many the pets of a status have in the index. */
  readonly partitions: { readonly table: number; readonly status: number };
  /** Read units of a page. */
  readonly pageUnits: number;
  /** The share of first pages; the others start anywhere. */
  readonly firstPages: number;
}

/** The kinds of requests that the model tells apart. */
export const kinds = ['creates', 'first pages', 'later pages', 'gets'] as const;
type Kind = (typeof kinds)[number];

/** Requests with the units that they need per second, and where. */
interface Load {
  readonly request: Kind;
  readonly unit: keyof typeof limits;
  readonly units: number;
  readonly positions: readonly number[];
}

/**
 * Returns what share of each kind of request is throttled, minute by minute: that of the worse list for pages,
 * and that of the table or the index for creates.
 */
export function throttledShares(scenario: Scenario, minutes: number) {
  const { requestsPerSecond, partitions, pageUnits, firstPages } = scenario;
  const load = (request: Kind, share: number, units: number, positions: readonly number[]): Load => {
    const unit = request === 'creates' ? 'write' : 'read';
    return { request, unit, units: requestsPerSecond * share * units, positions };
  };
  const pages = (share: number, positions: readonly number[]) => [
    load('first pages', share * firstPages, pageUnits, [0]),
    load('later pages', share * (1 - firstPages), pageUnits, positions),
  ];
  const pets = [load('creates', mix.creates, 1, byHash), load('gets', mix.gets, 1, byHash)];
  const table = new Range(partitions.table, [...pets, ...pages(mix.allPets, byHash)]);
  // All new pets are available.
  const creates = load('creates', mix.creates, 1, byId);
  const index = new Range(partitions.status, [creates, ...pages(mix.availablePets, byId)]);
  return Array.from({ length: minutes }, () => {
    const throttled = [...table.nextMinute(), ...index.nextMinute()];
    const worst = (kind: Kind) =>
      Math.max(...throttled.map(({ request, share }) => (request === kind ? share : 0)));
    return Object.fromEntries(kinds.map((kind) => [kind, worst(kind)])) as Record<Kind, number>;
  });
}

/** The partitions of a table, or of a status in its index, from 0 to 1. */
class Range {
  private partitions: readonly { from: number; to: number; minutesAtLimit: number }[];
  private readonly loads: readonly Load[];

  constructor(count: number, loads: readonly Load[]) {
    const all = Array.from({ length: count }, (_, number) => number / count);
    this.partitions = all.map((from) => ({ from, to: from + 1 / count, minutesAtLimit: 0 }));
    this.loads = loads;
  }

  /** Returns what share of each load is throttled, and splits the partitions that were at their limit for long. */
  nextMinute() {
    const busy = this.partitions.map((partition) => {
      const { from, to } = partition;
      const insides = this.loads.map(
        ({ positions }) => positions.filter((at) => at >= from && at < to).length / positions.length,
      );
      const used = (unit: Load['unit']) =>
        this.loads.reduce(
          (sum, load, index) =>
            sum + (load.unit === unit ? (load.units * (insides[index] ?? 0)) / limits[unit] : 0),
          0,
        );
      const isAtLimit = used('read') > 1 || used('write') > 1;
      return { from, to, insides, used, minutesAtLimit: isAtLimit ? partition.minutesAtLimit + 1 : 0 };
    });
    this.partitions = busy.flatMap(({ from, to, minutesAtLimit }) => {
      if (minutesAtLimit < minutesUntilSplit) return [{ from, to, minutesAtLimit }];
      const middle = (from + to) / 2;
      return [
        { from, to: middle, minutesAtLimit: 0 },
        { from: middle, to, minutesAtLimit: 0 },
      ];
    });
    return this.loads.map(({ request, unit }, index) => {
      const shares = busy.map(({ insides, used }) => (insides[index] ?? 0) * Math.max(0, 1 - 1 / used(unit)));
      return { request, share: shares.reduce((sum, share) => sum + share, 0) };
    });
  }
}

import { createHash } from 'node:crypto';
import { idOf } from '../../shared/tables/creation.ts';

// A model of DynamoDB's partitions under this service's load. Nothing here was measured on AWS.

/**
 * Units per second of a partition.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html
 */
const limits = { read: 3000, write: 1000 };

/**
 * Minutes at the limit after which DynamoDB splits a partition. AWS documents that it splits, also by the sort
 * key, but not when. It also lends unused capacity of five minutes, which this model leaves out.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/burst-adaptive-capacity.html
 */
const minutesUntilSplit = 10;

/** The share of each kind of request, with many creates. */
const mix = { creates: 0.2, gets: 0.2, allPets: 0.3, availablePets: 0.3 };

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

/** Requests with the units that they need per second, and where. */
interface Load {
  readonly request: 'creates' | 'pages' | 'gets';
  readonly unit: keyof typeof limits;
  readonly units: number;
  readonly positions: readonly number[];
}

/** Returns what share of each kind of request its busiest partition throttles, minute by minute. */
export function throttledShares(scenario: Scenario, minutes: number) {
  const { requestsPerSecond, partitions, pageUnits, firstPages } = scenario;
  const creates = { request: 'creates', unit: 'write', units: requestsPerSecond * mix.creates } as const;
  const gets = { request: 'gets', unit: 'read', units: requestsPerSecond * mix.gets } as const;
  const pages = (share: number, positions: readonly number[]): Load[] => {
    const page = { request: 'pages', unit: 'read' } as const;
    const units = requestsPerSecond * share * pageUnits;
    return [
      { ...page, units: units * firstPages, positions: [0] },
      { ...page, units: units * (1 - firstPages), positions },
    ];
  };
  const pets = [
    { ...creates, positions: byHash },
    { ...gets, positions: byHash },
  ];
  const table = new Range(partitions.table, [...pets, ...pages(mix.allPets, byHash)]);
  // All new pets are available.
  const index = new Range(partitions.status, [
    { ...creates, positions: byId },
    ...pages(mix.availablePets, byId),
  ]);
  return Array.from({ length: minutes }, () => {
    const throttled = [...table.nextMinute(), ...index.nextMinute()];
    const worst = (request: Load['request']) =>
      Math.max(...throttled.map((load) => (load.request === request ? load.share : 0)));
    return { creates: worst('creates'), pages: worst('pages'), gets: worst('gets') };
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

  /** Returns what each partition throttles, and splits those that were at their limit for long. */
  nextMinute() {
    const busy = this.partitions.map((partition) => {
      const { from, to } = partition;
      const own = this.loads.map(({ request, unit, units, positions }) => {
        const inside = positions.filter((at) => at >= from && at < to).length / positions.length;
        return { request, unit, used: (units * inside) / limits[unit] };
      });
      const used = (unit: Load['unit']) =>
        own.reduce((sum, load) => sum + (load.unit === unit ? load.used : 0), 0);
      const throttled = own.map(({ request, unit, used: itself }) => ({
        request,
        share: itself === 0 ? 0 : Math.max(0, 1 - 1 / used(unit)),
      }));
      const isAtLimit = used('read') > 1 || used('write') > 1;
      return { from, to, throttled, minutesAtLimit: isAtLimit ? partition.minutesAtLimit + 1 : 0 };
    });
    this.partitions = busy.flatMap(({ from, to, minutesAtLimit }) => {
      if (minutesAtLimit < minutesUntilSplit) return [{ from, to, minutesAtLimit }];
      const middle = (from + to) / 2;
      return [
        { from, to: middle, minutesAtLimit: 0 },
        { from: middle, to, minutesAtLimit: 0 },
      ];
    });
    return busy.flatMap(({ throttled }) => throttled);
  }
}

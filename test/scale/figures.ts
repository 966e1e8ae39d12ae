import { readFileSync } from 'node:fs';
import { type Bar, barChart } from './bar-chart.ts';
import { costs } from './costs.ts';
import { throttledShares } from './partition-model.ts';
import {
  accessLogPrice,
  functionLogPrice,
  httpApiPrice,
  lambdaPrice,
  restApiPrice,
  tablePrice,
  webAclPrice,
} from './prices.ts';

// The figures that the documents show, calculated from prices, measured units and the model.

/** Milliseconds of a warm invocation: docs/speed.md says how they were measured. */
const milliseconds = { list: 18.3, get: 17, create: 16.5, authorizer: 17 };

/** Each kind of request with its time, and whether it passes API Gateway. */
const requests = {
  'page of 20 pets': milliseconds.list,
  'page of 100 pets': milliseconds.list,
  'page of 100 pets with the longest names': milliseconds.list,
  'get, also of an unknown id': milliseconds.get,
  create: milliseconds.create,
  'create with the longest name': milliseconds.create,
  'repeated create, with the same or another body': milliseconds.create,
  'authorizer, also for an unknown key': milliseconds.authorizer,
} as const;

type Kind = keyof typeof requests;
const kinds = Object.keys(requests) as readonly Kind[];
const isAuthorizer = (kind: string) => kind.startsWith('authorizer');

/** The parts of the price of a million requests below 333 million a month. */
function priceOf(kind: Kind) {
  const gateway = isAuthorizer(kind) ? 0 : restApiPrice(1);
  const logs = isAuthorizer(kind) ? functionLogPrice(1) : accessLogPrice + functionLogPrice(1);
  return {
    gateway,
    webAcl: isAuthorizer(kind) ? 0 : webAclPrice,
    logs,
    lambda: lambdaPrice(requests[kind]),
    tables: tablePrice(costs[kind]),
  };
}

const sumOf = (parts: Readonly<Record<string, number>>) =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);
const dollars = (price: number) => `$${price.toFixed(2)}`;
const whole = (price: number) => `$${Math.round(price).toLocaleString('en')}`;
const units = (count: number) => (count === 0 ? '' : `${count}`);

function costTable(): string {
  const rows = Object.entries(costs).map(([kind, { calls, readUnits, writeUnits }]) => {
    const priced = kinds.find((known) => known === kind);
    const price = priced && priceOf(priced);
    const prices = price ? [price.tables, price.lambda, sumOf(price)].map(dollars) : ['', '', ''];
    return [kind, `${calls}`, units(readUnits), units(writeUnits), ...prices];
  });
  return table(['', 'calls', 'read units', 'write units', 'tables', 'Lambda', 'sum'], rows);
}

/** Requests per second with the millions of a month, of 365 / 12 days. */
const volumes = [1, 10, 100, 1000, 10_000].map((perSecond) => ({
  perSecond,
  millions: (perSecond * 86_400 * 365) / 12 / 1_000_000,
}));

/** A mix of requests that mostly read. */
const mix = { 'page of 20 pets': 0.8, 'get, also of an unknown id': 0.15, create: 0.05 } as const;

/** The mean price of a million requests of the mix. */
function billOf(millions: number) {
  const mean = (price: (kind: Kind) => number) =>
    Object.entries(mix).reduce((sum, [kind, share]) => sum + share * price(kind as Kind), 0);
  return {
    gateway: restApiPrice(millions),
    webAcl: webAclPrice,
    logs: accessLogPrice + functionLogPrice(millions),
    lambda: mean((kind) => lambdaPrice(requests[kind])),
    tables: mean((kind) => tablePrice(costs[kind])),
  };
}

function billTable(): string {
  const rows = volumes.map(({ perSecond, millions }) => {
    const bill = billOf(millions);
    const parts = Object.values(bill).map((part) => `${Math.round((100 * part) / sumOf(bill))}%`);
    const month = sumOf(bill) * millions;
    return [perSecond.toLocaleString('en'), dollars(sumOf(bill)), ...parts, whole(month)];
  });
  const head = ['requests per second', 'per million', 'API Gateway', 'web ACL', 'logs', 'Lambda', 'tables'];
  return table([...head, 'per month'], rows);
}

/** What other designs would save per month. */
function savingsTable(): string {
  const rows = volumes.map(({ perSecond, millions }) => [
    perSecond.toLocaleString('en'),
    whole((restApiPrice(millions) - httpApiPrice(millions)) * millions),
    whole((functionLogPrice(millions) / 2) * millions),
  ]);
  return table(['requests per second', 'HTTP API', 'half of the functions’ logs'], rows);
}

/** The most that made-up keys cost per day: all pass the web ACL, and the methods' limits admit the rest. */
function madeUpKeysPerDay(perSecond: number): number {
  const perDay = 86_400 / 1_000_000;
  const admitted = Math.min(perSecond, 3 * 400 + 2 * 10);
  const authorizer = sumOf(priceOf('authorizer, also for an unknown key'));
  return perDay * (perSecond * (webAclPrice + accessLogPrice) + admitted * authorizer);
}

/** The most that a key costs per day with 50 requests a second, and the data sent for $0.09 per GB. */
const oneKeyPerDay = (kind: Kind, gigabytesPerMillion: number) =>
  ((50 * 86_400) / 1_000_000) * (sumOf(priceOf(kind)) + 0.09 * gigabytesPerMillion);

function abuseTable(): string {
  return table(
    ['who sends', 'requests', 'costs per day'],
    [
      ['made-up keys, one address', '100/s', whole(madeUpKeysPerDay(100))],
      ['made-up keys, many addresses', '10,000/s, the quota of the account', whole(madeUpKeysPerDay(10_000))],
      [
        'one key, creates with the longest names',
        '50/s',
        whole(oneKeyPerDay('create with the longest name', 1)),
      ],
      [
        'one key, pages of 100 with the longest names',
        '50/s',
        whole(oneKeyPerDay('page of 100 pets with the longest names', 110)),
      ],
    ],
  );
}

const pricePicture = () =>
  barChart({
    title: 'Price of a million requests in US dollars',
    parts: ['API Gateway', 'web ACL', 'logs', 'Lambda', 'tables'],
    bars: kinds.map(
      (kind): Bar => ({
        label: kind.replace(/,.*/, '').replace('with the longest names', 'with long names'),
        parts: Object.values(priceOf(kind)),
      }),
    ),
    format: dollars,
  });

/** The model at 10,000 requests a second with pages of 100, from a young table. */
function throttlesPicture(): string {
  const partitions = { table: 4, status: 1 };
  const load = { requestsPerSecond: 10_000, partitions, pageUnits: 1.5, firstPages: 0.5 };
  const shares = throttledShares(load, 30);
  return barChart({
    title: 'Throttled in the model: 10,000 requests per second, young table, pages of 100',
    parts: ['creates'],
    bars: [0, 5, 10, 15, 20, 25].map((minute) => ({
      label: `after ${minute} minutes`,
      parts: [shares[minute]?.creates ?? 0],
    })),
    format: (share) => `${Math.round(100 * share)}%`,
  });
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const alignment = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [line(head), `|${alignment.join('|')}|`, ...rows.map(line)].join('\n');
}

/** Each file with calculated figures, as it should be. Markdown has them between two comments. */
export function figures(): ReadonlyMap<string, string> {
  const between = (file: string, parts: Readonly<Record<string, string>>) =>
    Object.entries(parts).reduce(
      (text, [name, figure]) => {
        const [start, end] = [`<!-- ${name}: npm run figures -->\n`, `\n<!-- end of ${name} -->`];
        const [before, rest] = text.split(start);
        const [, after] = rest?.split(end) ?? [];
        if (after === undefined) throw new Error(`${file} has no place for ${name}.`);
        return `${before}${start}\n${figure}\n${end}${after}`;
      },
      readFileSync(file, 'utf8'),
    );
  return new Map([
    ['docs/speed.md', between('docs/speed.md', { costs: costTable(), bill: billTable() })],
    ['docs/scaling.md', between('docs/scaling.md', { abuse: abuseTable(), savings: savingsTable() })],
    ['docs/pictures/prices.svg', pricePicture()],
    ['docs/pictures/throttles.svg', throttlesPicture()],
  ]);
}

import { costs } from '../costs.ts';
import { longestPet } from '../pet-sizes.ts';
import {
  accessLogPrice,
  cloudFrontCachePrice,
  cloudFrontPrice,
  dataTransferPrice,
  functionLogPrice,
  httpApiPrice,
  lambdaPrice,
  restApiPrice,
  tablePrice,
  webAclPrice,
} from '../prices.ts';
import { shippedLimits } from '../shipped-limits.ts';
import { type Bar, barChart } from './bar-chart.ts';
import { markdownTable } from './markdown-table.ts';

// What requests cost, from AWS's prices, the units that tests measure, and an assumed time of each function.

/** Milliseconds of a warm invocation: docs/speed.md says how they are assumed. */
export const milliseconds = { list: 18.3, get: 17, create: 16.5, authorizer: 17 };

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

/** For a million requests below 333 million a month. */
export const fixedPrices = {
  gateway: restApiPrice(1),
  webAcl: webAclPrice,
  logs: accessLogPrice + functionLogPrice(1),
};

const sumOf = (parts: Readonly<Record<string, number>>) =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);
export const dollars = (price: number) => `$${price.toFixed(2)}`;
export const whole = (price: number) =>
  `${price < -0.5 ? '−' : ''}$${Math.abs(Math.round(price)).toLocaleString('en')}`;
const units = (count: number) => (count === 0 ? '' : `${count}`);

export function costTable(): string {
  const rows = Object.entries(costs).map(([kind, { calls, readUnits, writeUnits }]) => {
    const priced = kinds.find((known) => known === kind);
    const price = priced && priceOf(priced);
    const prices = price ? [price.tables, price.lambda, sumOf(price)].map(dollars) : ['', '', ''];
    return [kind, `${calls}`, units(readUnits), units(writeUnits), ...prices];
  });
  return markdownTable(['', 'calls', 'read units', 'write units', 'tables', 'Lambda', 'sum'], rows);
}

/** The least and the most that a million requests of a kind cost. */
export function priceRange(): string {
  const sums = kinds.filter((kind) => !isAuthorizer(kind)).map((kind) => sumOf(priceOf(kind)));
  return `${dollars(Math.min(...sums))} to ${dollars(Math.max(...sums))}, depending on their kind`;
}

/** The millions of requests in a month, of 365 / 12 days. */
const millionsPerMonth = (perSecond: number) => (perSecond * 86_400 * 365) / 12 / 1_000_000;

const volumes = [1, 10, 100, 1000, 10_000].map((perSecond) => ({
  perSecond,
  millions: millionsPerMonth(perSecond),
}));

/** A mix of requests that mostly read. */
export const mix = { 'page of 20 pets': 0.8, 'get, also of an unknown id': 0.15, create: 0.05 } as const;

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

export function billTable(): string {
  const rows = volumes.map(({ perSecond, millions }) => {
    const bill = billOf(millions);
    const parts = Object.values(bill).map((part) => `${Math.round((100 * part) / sumOf(bill))}%`);
    const month = sumOf(bill) * millions;
    return [perSecond.toLocaleString('en'), dollars(sumOf(bill)), ...parts, whole(month)];
  });
  const head = ['requests per second', 'per million', 'API Gateway', 'web ACL', 'logs', 'Lambda', 'tables'];
  return markdownTable([...head, 'per month'], rows);
}

/**
 * CloudFront's cache: 40% of all requests are first pages, of 20 lists, which it keeps for a second. Requests
 * come at random, so of those for a list with n a second, 1 in 1 + n is not answered from the cache.
 */
export const cached = { firstPages: 0.4, lists: 20 };

/** The share of all requests that CloudFront would answer. */
export function cacheHits(perSecond: number): number {
  const perList = (cached.firstPages * perSecond) / cached.lists;
  return (cached.firstPages * perList) / (1 + perList);
}

/** What a number of millions of pages of 20 costs behind the web ACL. */
const behindCloudFront = (millions: number) =>
  millions *
  (restApiPrice(millions) +
    accessLogPrice +
    functionLogPrice(millions) +
    lambdaPrice(milliseconds.list) +
    tablePrice(costs['page of 20 pets']));

/** What CloudFront's cache would save per month. */
function cacheSaving(perSecond: number): number {
  const millions = millionsPerMonth(perSecond);
  const passed = millions * (1 - cacheHits(perSecond));
  return behindCloudFront(millions) - behindCloudFront(passed) - millions * cloudFrontCachePrice;
}

/** The requests per second between which CloudFront's cache saves anything, and at most what share of the bill. */
export function cacheVolumes() {
  const savings = Array.from({ length: 10_000 }, (_, index) => index + 1)
    .map((perSecond) => ({
      perSecond,
      saving: cacheSaving(perSecond),
      millions: millionsPerMonth(perSecond),
    }))
    .filter(({ saving }) => saving > 0);
  const shares = savings.map(({ saving, millions }) => saving / (sumOf(billOf(millions)) * millions));
  return {
    from: savings.at(0)?.perSecond ?? Number.NaN,
    to: savings.at(-1)?.perSecond ?? Number.NaN,
    share: Math.max(...shares),
  };
}

/** What other designs would save per month. */
export function savingsTable(): string {
  const rows = volumes.map(({ perSecond, millions }) => {
    const httpApi = (restApiPrice(millions) - httpApiPrice(millions)) * millions;
    const logs = (functionLogPrice(millions) / 2) * millions;
    const saved = [httpApi, httpApi - millions * cloudFrontPrice, cacheSaving(perSecond), logs];
    return [perSecond.toLocaleString('en'), ...saved.map(whole)];
  });
  const head = [
    'HTTP API',
    'HTTP API behind CloudFront',
    'CloudFront as a cache',
    'half of the functions’ logs',
  ];
  return markdownTable(['requests per second', ...head], rows);
}

/** GB that a million responses have with so many of the longest pets. */
export const gigabytesPerMillion = (pets: number) => (longestPet.responseBytes * pets * 1_000_000) / 1e9;

const millionsPerDay = 86_400 / 1_000_000;

/** The most that made-up keys cost per day: all pass the web ACL, and the methods' limits admit the rest. */
function madeUpKeysPerDay(perSecond: number): number {
  const admitted = Math.min(perSecond, shippedLimits.admitted);
  const authorizer = sumOf(priceOf('authorizer, also for an unknown key'));
  return millionsPerDay * (perSecond * blockedPrice + admitted * authorizer);
}

/** What a million requests cost that get no further than the web ACL. */
export const blockedPrice = webAclPrice + accessLogPrice;

/** The most that a key costs per day, with the data that is sent. */
const oneKeyPerDay = (kind: Kind, gigabytesPerMillion: number) =>
  shippedLimits.perKey * millionsPerDay * (sumOf(priceOf(kind)) + dataTransferPrice(gigabytesPerMillion));

export function abuseTable(): string {
  return markdownTable(
    ['what somebody sends', 'requests', 'cost per day'],
    [
      [
        'made-up keys, one address',
        `${shippedLimits.perAddress}/s`,
        whole(madeUpKeysPerDay(shippedLimits.perAddress)),
      ],
      ['made-up keys, many addresses', '10,000/s, the quota of the account', whole(madeUpKeysPerDay(10_000))],
      [
        'one key, creates with the longest names',
        `${shippedLimits.perKey}/s`,
        whole(oneKeyPerDay('create with the longest name', gigabytesPerMillion(1))),
      ],
      [
        'one key, pages of 100 with the longest names',
        `${shippedLimits.perKey}/s`,
        whole(oneKeyPerDay('page of 100 pets with the longest names', gigabytesPerMillion(100))),
      ],
    ],
  );
}

export const pricePicture = () =>
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

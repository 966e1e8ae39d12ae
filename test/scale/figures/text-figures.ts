import { maxAttempts, timeLimits } from '../../../shared/lambda/time-limits.ts';
import { costs } from '../costs.ts';
import { repetitions } from '../measured.ts';
import { limits, minutesUntilSplit, mix as modelMix } from '../partition-model.ts';
import { longestNameOfOneUnit, longestPet, petBytes } from '../pet-sizes.ts';
import {
  accessLogBytes,
  cloudFrontCachePrice,
  cloudFrontPrice,
  dataTransferPrice,
  functionLogBytes,
  storedGigabyte,
} from '../prices.ts';
import { shippedConcurrency, shippedLimits } from '../shipped-limits.ts';
import { goal } from './bench-figures.ts';
import { availableShare, grown, minutesOfThrottles, young } from './model-figures.ts';
import {
  blockedPrice,
  cached,
  cacheHits,
  cacheVolumes,
  dollars,
  fixedPrices,
  gigabytesPerMillion,
  milliseconds,
  mix,
} from './price-tables.ts';
import { percent } from './step-chart.ts';

// The figures in running text that follow from others.

const number = (value: number) => Math.round(value).toLocaleString('en');
const { operation, perKey, perAddress, admitted } = shippedLimits;
const billion = 1_000_000_000;

/** The first pages per second that a partition serves. */
const servedPages = (kind: keyof typeof costs) => limits.read / costs[kind].readUnits;
const [pagesOf20, pagesOf100, longestPages] = (
  ['page of 20 pets', 'page of 100 pets', 'page of 100 pets with the longest names'] as const
).map(servedPages);

/** Seconds of a response that the concurrency of a function allows at its limit. */
const allowedSeconds = shippedConcurrency.create / operation.rateLimit;
const cache = cacheVolumes();
const busyEnvironments = (10_000 * milliseconds.list) / 1000;
/** A new function environment takes so many seconds to start: an assumption. */
const coldStart = 0.3;
/** https://docs.aws.amazon.com/lambda/latest/dg/scaling-behavior.html */
const newEnvironmentsPerSecond = 1000 / 10;

/** Parts of sentences by the document that has them. */
export const textFigures = {
  'docs/speed.md': [
    `starts each function ${repetitions.starts} times`,
    `the CPU time of ${repetitions.requests} requests`,
    `a function of 512 MB to ${(512 / 1769).toFixed(2)} of a CPU`,
    `at most ${goal} times the CPU time`,
    `${dollars(fixedPrices.gateway)} for API Gateway, ${dollars(fixedPrices.webAcl)} for the web ACL and ${dollars(fixedPrices.logs)} for logs`,
    `an assumed ${accessLogBytes} bytes in the access log and ${functionLogBytes} in the function's log`,
    `${percent(mix['page of 20 pets'])} of the requests list a page of 20, ${percent(mix['get, also of an unknown id'])} get a pet, and ${percent(mix.create)} create one`,
    `in a table costs ${dollars(storedGigabyte.table)}, and ${dollars(storedGigabyte.recovery)} more`,
    `${milliseconds.get} ms of a get, ${milliseconds.list} ms of a list and ${milliseconds.create} ms of a create`,
  ],
  'docs/scaling.md': [
    `| ${operation.rateLimit} each |`,
    `| ${perKey} per key, ${perAddress} per address |`,
    `| ${operation.rateLimit} for each operation at ${allowedSeconds} s per response |`,
    `| ${number(limits.write / 2)} with names over ${longestNameOfOneUnit} bytes, ${number(limits.write)} with shorter ones`,
    `| ${number(pagesOf20 ?? 0)} of 20 pets, ${number(pagesOf100 ?? 0)} of 100, for each status and for all pets |`,
    `| ${number(pagesOf100 ?? 0)}, or ${Math.floor(longestPages ?? 0)} with the longest names, for each partition |`,
    `a billion pets of ${petBytes} bytes need ${grown.table} partitions`,
    `has ${number(longestPet.bytes)} bytes, so it takes two`,
    `a 503 after ${maxAttempts} attempts`,
    `after ${minutesUntilSplit} minutes`,
    `${percent(modelMix.creates)} of the requests create available pets, ${percent(modelMix.gets)} are gets, and ${percent(modelMix.allPets + modelMix.availablePets)} are pages of 100, of which half are of available pets and half are first pages`,
    `a young table has ${young.table} partitions, one of them for`,
    `${percent(availableShare)} are available`,
    `avoid the throttles of the first ${minutesOfThrottles()} minutes`,
    `before you admit more than ${number(pagesOf100 ?? 0)}`,
    `${number(limits.read)} ÷ ${costs['page of 20 pets'].readUnits} = ${number(pagesOf20 ?? 0)} first pages of 20`,
    `or ${number(pagesOf100 ?? 0)} of 100`,
    `takes ${costs['page of 100 pets with the longest names'].readUnits} units, so the partition serves only ${Math.floor(longestPages ?? 0)}`,
    `the limits admit only ${operation.rateLimit} lists per second`,
    `10,000 lists per second of ${milliseconds.list} ms each, ${number(busyEnvironments)} environments are busy`,
    `serves ${number(busyEnvironments)} first pages per second`,
    `${operation.rateLimit} requests per second and a burst of ${operation.burstLimit}`,
    `send ${perKey} requests per second, an eighth of an operation's limit, and one address may send ${perAddress}`,
    `so a key can send ${number(perKey * 60)} at once`,
    `takes ${milliseconds.get} ms`,
    `${operation.burstLimit} + ${operation.rateLimit} × 0.1 = ${shippedConcurrency.create}`,
    `needs ${shippedConcurrency.head} more`,
    `needs ${shippedConcurrency.authorizer}`,
    `${shippedConcurrency.all} concurrent executions`,
    `need ${shippedConcurrency.twoMoreReads} more`,
    `gives up after ${timeLimits.call / 1000} s`,
    `serve only ${Math.floor(shippedConcurrency.create / (timeLimits.call / 1000))} requests per second`,
    `at most ${number(admitted)} of these requests per second`,
    `receives ${number(gigabytesPerMillion(100))} GB per million requests`,
    `the same check and line: ${dollars(blockedPrice)} per million`,
    `cold starts of ${coldStart} s need ${number(10_000 * coldStart)} environments`,
    `within ${number((10_000 * coldStart) / newEnvironmentsPerSecond)} seconds`,
    `${percent(cached.firstPages)} of all requests are first pages of ${cached.lists} different lists`,
    `At 100 requests per second, CloudFront then answers ${percent(cacheHits(100))} of them, and at higher rates at most ${percent(cached.firstPages)}`,
    `${dollars(cloudFrontPrice)} per million`,
    `costs ${dollars(cloudFrontPrice)}, and ${dollars(cloudFrontCachePrice - cloudFrontPrice)} for a function`,
    `saves money between ${cache.from} and ${number(cache.to)} requests per second, and at most ${percent(cache.share)} of the bill`,
    `A GB costs ${dollars(dataTransferPrice(1))}`,
    `takes ${number(billion / perKey / 86_400)} days with one key at ${perKey} requests per second`,
    `takes ${number(billion / 100 / 1_000_000)} million pages of 100, which is ${number(billion / 100 / perKey / 3600)} hours with one key`,
  ],
} as const;

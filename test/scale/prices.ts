import type { Consumption } from '../support/dynamodb/meter.ts';

// AWS's prices in US dollars, for us-east-1 in November 2026, without free tier and data transfer.

/** The price of a million, up to a number of millions a month. */
type Tiers = readonly (readonly [upTo: number, price: number])[];

/** https://aws.amazon.com/api-gateway/pricing/ */
const restApi: Tiers = [
  [333, 3.5],
  [1000, 2.8],
  [20_000, 2.38],
  [Number.POSITIVE_INFINITY, 1.51],
];
const httpApi: Tiers = [
  [300, 1],
  [Number.POSITIVE_INFINITY, 0.9],
];

/** Per GB of logs: https://aws.amazon.com/cloudwatch/pricing/ */
const accessLogGigabyte = 0.5;
const functionLogGigabytes: Tiers = [
  [10_000, 0.5],
  [30_000, 0.25],
  [50_000, 0.1],
  [Number.POSITIVE_INFINITY, 0.05],
];

/** Assumed bytes of logs for each request. Those of a function include its start and its report. */
export const accessLogBytes = 500;
export const functionLogBytes = 600;

/** For a million requests: https://aws.amazon.com/waf/pricing/ */
const webAcl = 0.6;

/** A month of a GB in a table, and more for point-in-time recovery: the page of the units below. */
export const storedGigabyte = { table: 0.25, recovery: 0.2 };

/** A million HTTPS requests: https://aws.amazon.com/cloudfront/pricing/ */
const cloudFront = 1;

/** A million runs of a function at CloudFront's edge, each with a read of a key: the same page. */
const edgeCheck = 0.1 + 0.03;

/** A GB that API Gateway sends to the internet: https://aws.amazon.com/ec2/pricing/on-demand/ */
const dataTransferGigabyte = 0.09;

/** A million units: https://aws.amazon.com/dynamodb/pricing/on-demand/ */
const units = { read: 0.125, write: 0.625 };

/** A million invocations, and a GB-second on arm64: https://aws.amazon.com/lambda/pricing/ */
const lambda = { invocations: 0.2, gigabyteSecond: 0.0000133334 };

/**
 * What a month of each costs: https://aws.amazon.com/cloudwatch/pricing/ and https://aws.amazon.com/waf/pricing/
 */
export const monthlyPrices = { logMetrics: 0.3, alarmMetrics: 0.1, dashboards: 3, webAcls: 5, rules: 1 };

/** The memory of a function in GB. */
const memory = 0.5;

/** What a million requests cost at DynamoDB. */
export const tablePrice = ({ readUnits, writeUnits }: Consumption): number =>
  readUnits * units.read + writeUnits * units.write;

/** What a million invocations cost that take some milliseconds on average. */
export const lambdaPrice = (milliseconds: number): number =>
  lambda.invocations + milliseconds * 1000 * memory * lambda.gigabyteSecond;

/** What a million requests cost at API Gateway, in a month of so many million. */
export const restApiPrice = (millions: number): number => tiered(restApi, millions);
export const httpApiPrice = (millions: number): number => tiered(httpApi, millions);

/** What a million requests cost at the web ACL. */
export const webAclPrice = webAcl;

/** What a million requests cost at CloudFront, and with a check of the API key there. */
export const cloudFrontPrice = cloudFront;
export const cloudFrontCachePrice = cloudFront + edgeCheck;

/** What sending some GB costs. */
export const dataTransferPrice = (gigabytes: number): number => gigabytes * dataTransferGigabyte;

/** What the logs of a million requests cost, in a month of so many million. */
export const accessLogPrice = (accessLogBytes * accessLogGigabyte) / 1000;
export const functionLogPrice = (millions: number): number => {
  const gigabytes = (millions * functionLogBytes) / 1000;
  return (tiered(functionLogGigabytes, gigabytes) * functionLogBytes) / 1000;
};

/** Returns the mean price of one of so many. */
function tiered(tiers: Tiers, amount: number): number {
  let from = 0;
  let sum = 0;
  for (const [upTo, price] of tiers) {
    sum += Math.max(0, Math.min(amount, upTo) - from) * price;
    from = upTo;
  }
  return sum / amount;
}

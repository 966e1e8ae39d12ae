import type { ColdStart } from './cold-starts.ts';
import type { Consumption } from './lambda/metered-function.ts';

/** Public prices of a million in US dollars, of us-east-1 on 20 November 2026, without the free tier. */
const prices = {
  /** A request of a REST API, of the first 333 million a month. https://aws.amazon.com/api-gateway/pricing/ */
  apiRequest: 3.5,
  /** https://aws.amazon.com/lambda/pricing/ */
  invocation: 0.2,
  /** On arm64. */
  gigabyteSecond: 13.3334,
  /** On demand. https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  readUnit: 0.125,
  writeUnit: 0.625,
} as const;

/**
 * How much longer DynamoDB takes to respond than the embedded one, in milliseconds: it responds in a few, and that one in
 * less than one. A function is billed for the time that it waits.
 */
const dynamodbLatency = 4;

/** What a million requests of an operation cost, each of them warm. The authorizer is no request of its own. */
export function costOf(
  { name, billedMs: billedHere }: Pick<ColdStart, 'name' | 'billedMs'>,
  { readUnits, writeUnits: tableWriteUnits }: Consumption,
  indexCount: number,
  memorySize: number,
) {
  // Each of the indexes takes as much again as the table.
  const writeUnits = tableWriteUnits * (1 + indexCount);
  const billedMs = billedHere + dynamodbLatency;
  const gigabyteSeconds = (memorySize / 1024) * (billedMs / 1000);
  return {
    readUnits,
    writeUnits,
    billedMs,
    lambdaUsd: prices.invocation + gigabyteSeconds * prices.gigabyteSecond,
    dynamodbUsd: readUnits * prices.readUnit + writeUnits * prices.writeUnit,
    apiUsd: name === 'authorizer' ? 0 : prices.apiRequest,
  };
}

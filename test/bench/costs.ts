import type { ColdStart } from './cold-starts.ts';
import type { Consumption } from './metered-function.ts';

/** Public prices in US dollars, of us-east-1 (N. Virginia) on 20 November 2026, without the free tier. */
const prices = {
  /** A request of a REST API, of the first 333 million a month. https://aws.amazon.com/api-gateway/pricing/ */
  apiRequest: 3.5 / 1e6,
  /** https://aws.amazon.com/lambda/pricing/ */
  invocation: 0.2 / 1e6,
  /** On arm64. */
  gigabyteSecond: 0.000_013_333_4,
  /** On demand. https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  readUnit: 0.125 / 1e6,
  writeUnit: 0.625 / 1e6,
} as const;

/**
 * How much longer DynamoDB takes to respond than the embedded one, in milliseconds: it responds in a few, and that one in
 * less than one. A function is billed for the time that it waits.
 */
const dynamodbLatency = 4;

/** What one operation takes, and what a million of it cost in US dollars. */
export interface OperationCost {
  readonly name: string;
  readonly memorySize: number;
  readonly coldStart: number;
  readonly warmP50: number;
  readonly warmP99: number;
  /** The milliseconds that Lambda bills for a warm invocation on average, DynamoDB's latency included. */
  readonly billedMs: number;
  readonly readUnits: number;
  /** Of the table and of its indexes, each of which takes as much again. */
  readonly writeUnits: number;
  readonly lambdaUsd: number;
  readonly dynamodbUsd: number;
  readonly apiUsd: number;
}

/** What a million requests of an operation cost, each of them warm. The authorizer is no request of its own. */
export function costOf(
  { name, coldStart, warmP50, warmP99, billedMs: billedHere }: ColdStart,
  { readUnits, writeUnits: tableWriteUnits }: Consumption,
  indexCount: number,
  memorySize: number,
): OperationCost {
  const writeUnits = tableWriteUnits * (1 + indexCount);
  const billedMs = billedHere + dynamodbLatency;
  const gigabyteSeconds = (memorySize / 1024) * (billedMs / 1000);
  return {
    name,
    memorySize,
    coldStart,
    warmP50,
    warmP99,
    billedMs,
    readUnits,
    writeUnits,
    lambdaUsd: (prices.invocation + gigabyteSeconds * prices.gigabyteSecond) * 1e6,
    dynamodbUsd: (readUnits * prices.readUnit + writeUnits * prices.writeUnit) * 1e6,
    apiUsd: name === 'authorizer' ? 0 : prices.apiRequest * 1e6,
  };
}

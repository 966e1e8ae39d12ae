import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { OperationId } from '../../shared/contract/operations.ts';
import type { StageName } from './stage-names.ts';

/** How many requests a second a method takes, and how many at once. */
export interface Throttling {
  readonly rateLimit: number;
  readonly burstLimit: number;
}

/** Where an alarm is told: by mail, which the recipient has to confirm, or by a POST to a URL, a pager's say. */
export type Subscriber = { readonly email: string } | { readonly url: string };

/** What differs from stage to stage. */
export interface StageSettings {
  /** The one account and region that the stage may be deployed to; without it, those of the shell. */
  readonly target?: { readonly account: string; readonly region: string };
  /** A domain in place of API Gateway's own, whose certificate is in the same region. */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** The names of tables that are used in place of the stack's own: `docs/runbook.md#a-table-is-lost`. */
  readonly restoredTables?: { readonly pets?: string; readonly apiKeys?: string };
  /** The names of tables that were restored and are the stack's own by now. */
  readonly adoptedTables?: { readonly pets?: string; readonly apiKeys?: string };
  readonly throttling: Readonly<Record<OperationId, Throttling>>;
  /** How many functions may run at once in the account and region: a quota that AWS raises when asked. */
  readonly accountConcurrency: number;
  readonly logRetention: RetentionDays;
  /**
   * Of a function, in MB; with it comes its share of a CPU. 512 is the least at which no single request waits for that
   * share, and costs $0.01 a million requests more than 256: `npm run bench -- cost --memory 256 512 1024 1769`.
   */
  readonly memorySize: number;
  /** Whether the stack and its tables refuse to be deleted. */
  readonly hasDeletionProtection: boolean;
  /** What becomes of tables and logs that the stack no longer declares. */
  readonly removalPolicy: RemovalPolicy.DESTROY | RemovalPolicy.RETAIN;
  /** Whether a release gets a tenth of the requests for a quarter of an hour before it gets them all. */
  readonly hasCanary: boolean;
  /** Whom alarms wake, and whom they leave a message; undefined where nobody is to be told at all. */
  readonly alarms?: { readonly page: readonly Subscriber[]; readonly ticket: readonly Subscriber[] };
}

/**
 * The least of what stands behind each method, in requests a second (the arithmetic in full: docs/scaling.md).
 *
 * - A partition of a table or an index takes 1,000 write units and 3,000 read units a second. All pets of one status share
 *   one partition of the index until DynamoDB splits it. A pet takes 1 write unit, or 2 with a name of more than 900
 *   bytes: 500 to 1,000 creates. A page of 100 takes 1 read unit, or 13.5 with the longest names: 222 to 3,000 pages.
 * - The account runs 1,000 functions at once. When every response takes its slowest, 1 s by the objective for latency,
 *   they answer 1,000 requests a second in all, and the authorizer, asked once a minute and key, is one of them.
 *
 * So the functions are met first: 400 + 350 + 200, and 50 for the authorizer. A bucket is a second's worth.
 */
const throttling = {
  listPets: { rateLimit: 400, burstLimit: 400 },
  createPet: { rateLimit: 350, burstLimit: 350 },
  getPet: { rateLimit: 200, burstLimit: 200 },
} as const satisfies StageSettings['throttling'];

/** The settings of each stage. */
export const stages: Readonly<Record<StageName, StageSettings>> = {
  staging: {
    throttling,
    accountConcurrency: 1000,
    logRetention: RetentionDays.ONE_WEEK,
    memorySize: 512,
    hasDeletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    hasCanary: false,
  },
  production: {
    throttling,
    accountConcurrency: 1000,
    logRetention: RetentionDays.THREE_MONTHS,
    memorySize: 512,
    hasDeletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    hasCanary: true,
    alarms: { page: [], ticket: [] },
  },
};

import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageName } from './stage-names.ts';

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
  /** How many functions may run at once in the account and region: a quota that AWS raises when asked. */
  readonly accountConcurrency: number;
  readonly logRetention: RetentionDays;
  /**
   * Of a function, in MB; with it comes its share of a CPU. 512 is the least at which one request alone hardly waits for
   * that share. What each size costs: `npm run bench -- cost --memory 256 512 1024 1769`.
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

/** The settings of each stage. */
export const stages: Readonly<Record<StageName, StageSettings>> = {
  staging: {
    accountConcurrency: 1000,
    logRetention: RetentionDays.ONE_WEEK,
    memorySize: 512,
    hasDeletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    hasCanary: false,
  },
  production: {
    accountConcurrency: 1000,
    logRetention: RetentionDays.THREE_MONTHS,
    memorySize: 512,
    hasDeletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    hasCanary: true,
    alarms: { page: [], ticket: [] },
  },
};

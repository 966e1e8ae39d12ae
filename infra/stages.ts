import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { StageName } from './stage-names.ts';

/** What differs from stage to stage. */
export interface StageSettings {
  /** Requests a second, and how many may come at once; the account's own quota is 10,000 and 5,000. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  readonly logRetention: RetentionDays;
  /** Of a function, in MB. */
  readonly memorySize: number;
  /** Whether the tables refuse to be deleted, and outlive the stack. */
  readonly hasDeletionProtection: boolean;
  readonly removalPolicy: RemovalPolicy;
  readonly hasAlarms: boolean;
}

/** The settings of each stage. */
export const stages = {
  staging: {
    throttling: { rateLimit: 1000, burstLimit: 1000 },
    logRetention: RetentionDays.ONE_WEEK,
    memorySize: 256,
    hasDeletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    hasAlarms: false,
  },
  production: {
    throttling: { rateLimit: 5000, burstLimit: 4000 },
    logRetention: RetentionDays.THREE_MONTHS,
    memorySize: 256,
    hasDeletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    hasAlarms: true,
  },
} as const satisfies Record<StageName, StageSettings>;

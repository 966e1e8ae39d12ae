import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { TableId } from '../../shared/tables/table-definitions.ts';
import { type FairUse, fairUse } from './operation-settings.ts';

/**
 * Who receives an alarm: an email address, which its owner must confirm, or a pager's webhook. Its URL is a
 * secret, so `pager` names the parameter that has it, below the stack's name: docs/deploying.md#once
 */
export type Subscriber = { readonly email: string } | { readonly pager: string };

/** Whom a stage's alarms notify. */
export interface AlarmSettings {
  readonly page: readonly Subscriber[];
  readonly ticket: readonly Subscriber[];
  /** The absolute address of your copy of docs/runbook.md, which alarms link to. */
  readonly runbook?: string;
  /** In US dollars, for the whole account: the ticket topic is notified when a month costs more. */
  readonly monthlyBudget?: number;
}

/** The contact for clients, as in OpenAPI. */
export type Contact = { readonly name: string; readonly email?: string; readonly url?: string };

/** Everything that differs between stages. */
export interface StageSettings {
  /** The only account and region that the stage may be deployed to; without it, the shell's. */
  readonly target?: { readonly account: string; readonly region: string };
  /** A custom domain. Once DNS and clients use it, disable API Gateway's address with `isOnlyAddress`. */
  readonly domain?: {
    readonly name: string;
    readonly certificateArn: string;
    readonly isOnlyAddress?: boolean;
  };
  /** Published in the stage's interface description. */
  readonly contact?: Contact;
  /**
   * Names of restored tables used in place of the stack's own: `docs/restore.md`. A name begins with
   * `pet-store-`, that of a table of API keys with `pet-store-keys-`, or it is one that the stack generated.
   */
  readonly restoredTables?: { readonly [Id in TableId]?: string };
  /** How many functions may run concurrently in the account and region, a quota that AWS can raise. */
  readonly accountConcurrency: number;
  /**
   * Whether each function reserves the concurrency that its limits need, so that a slow one, or another service
   * of the account, cannot starve it. The account keeps 100, so that a quota of 10 deploys only without it.
   */
  readonly reservesConcurrency?: boolean;
  readonly logRetention: RetentionDays;
  /**
   * Memory of a function in MB, which also sets its CPU share. 512 is the smallest size at which a single
   * request hardly waits for CPU. To compare sizes on Lambda:
   * https://github.com/alexcasalboni/aws-lambda-power-tuning
   */
  readonly memorySize: number;
  /** Whether the stack and its tables are deletion-protected. */
  readonly hasDeletionProtection: boolean;
  /** What happens to tables and logs that the stack no longer declares. */
  readonly removalPolicy: RemovalPolicy.DESTROY | RemovalPolicy.RETAIN;
  /** Whether a release receives a tenth of the requests for 15 minutes before it receives them all. */
  readonly hasCanary: boolean;
  /** Limits per client, enforced by a web ACL, which has a monthly price; undefined: none. */
  readonly fairUse?: FairUse;
  /** Time without a served request before someone is paged, at least a few minutes; undefined: never. */
  readonly expectsTrafficWithin?: Duration;
  /** Undefined: no alarms. */
  readonly alarms?: AlarmSettings;
}

/** The stages, by name. To add one, add its record: docs/deploying.md#add-a-stage */
const records = {
  staging: {
    accountConcurrency: 1000,
    logRetention: RetentionDays.ONE_WEEK,
    memorySize: 512,
    hasDeletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    hasCanary: false,
    // Staging has no canary either: a mistake in the web ACL must show here first.
    fairUse,
  },
  production: {
    accountConcurrency: 1000,
    reservesConcurrency: true,
    logRetention: RetentionDays.THREE_MONTHS,
    memorySize: 512,
    hasDeletionProtection: true,
    removalPolicy: RemovalPolicy.RETAIN,
    hasCanary: true,
    fairUse,
    alarms: { page: [], ticket: [] },
  },
} satisfies Readonly<Record<string, StageSettings>>;

export type StageName = keyof typeof records;

export const stages: Readonly<Record<StageName, StageSettings>> = records;

/**
 * Returns the settings of a stage.
 *
 * @throws {Error} if there is no stage of this name
 */
export function settingsOf(stage: string): StageSettings {
  const found: Partial<Record<string, StageSettings>> = stages;
  const settings = Object.hasOwn(stages, stage) ? found[stage] : undefined;
  if (settings) return settings;
  const names = Object.keys(stages).join(' or ');
  throw new Error(`infra/settings/stages.ts has no stage ${JSON.stringify(stage)}: choose ${names}.`);
}

/** The removal policy of log groups: like the tables', but a failed first deploy leaves nothing behind. */
export const logRemovalPolicy = ({ removalPolicy }: StageSettings): RemovalPolicy =>
  removalPolicy === RemovalPolicy.RETAIN ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : removalPolicy;

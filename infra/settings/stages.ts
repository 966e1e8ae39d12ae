import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import * as v from 'valibot';
import { AlarmSettings } from './alarm-settings.ts';
import { FairUse, fairUse } from './fair-use.ts';
import { Objectives, objectives } from './objectives.ts';
import { email, record, text, webAddress, whole, yesOrNo } from './setting-schemas.ts';

/** https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html */
const region = '[a-z]{2}(?:-[a-z]+)+-\\d';

/** Everything that differs between stages. Node strips the types, so each deploy checks the values, too. */
export const StageSettings = record({
  /** The only account and region that the stage may be deployed to; without it, the shell's. */
  target: v.optional(
    record({
      /** https://docs.aws.amazon.com/accounts/latest/reference/manage-acct-identifiers.html */
      account: text(/^\d{12}$/, 'the 12 digits of an account, in quotation marks'),
      region: text(new RegExp(`^${region}$`), 'a region such as eu-central-1'),
    }),
  ),
  /** A custom domain: docs/deploying.md#domain */
  domain: v.optional(
    record({
      /** RFC 1123 §2.1 */
      name: text(
        /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/,
        'a name such as api.example.com, in lower case, without https:// or a path',
      ),
      certificateArn: text(
        new RegExp(`^arn:aws[a-z-]*:acm:${region}:\\d{12}:certificate/[\\w-]+$`),
        'the ARN of a certificate in ACM',
      ),
      /** Whether API Gateway's own address no longer works. */
      isOnlyAddress: v.optional(yesOrNo),
    }),
  ),
  /** The contact for clients, published in the stage's interface description. */
  contact: v.optional(
    record({ name: text(/\S/, 'a text'), email: v.optional(email), url: v.optional(webAddress) }),
  ),
  /** How many functions may run concurrently in the account and region, a quota that AWS can raise. */
  accountConcurrency: whole({ min: 1, max: 1_000_000 }),
  /**
   * Whether each function reserves the concurrency that its limits need, so that a slow one, or another service
   * of the account, cannot starve it. The account keeps 100, so that a quota of 10 deploys only without it.
   */
  reservesConcurrency: v.optional(yesOrNo),
  logRetention: v.enum(RetentionDays, 'must be a value of RetentionDays'),
  /**
   * Memory of a function, which also sets its CPU share. 512 is the smallest size at which a single request
   * hardly waits for CPU. To compare sizes on Lambda: https://github.com/alexcasalboni/aws-lambda-power-tuning
   *
   * https://docs.aws.amazon.com/lambda/latest/dg/configuration-memory.html
   */
  memorySize: whole({ min: 128, max: 10_240, unit: ' MB' }),
  /** Whether the stack and its tables are deletion-protected. */
  hasDeletionProtection: yesOrNo,
  /** What happens to tables and logs that the stack no longer declares. */
  removalPolicy: v.picklist(
    [RemovalPolicy.DESTROY, RemovalPolicy.RETAIN],
    'must be RemovalPolicy.DESTROY or RemovalPolicy.RETAIN',
  ),
  /** Whether a release receives a tenth of the requests for 15 minutes before all: infra/release/canary.ts */
  hasCanary: yesOrNo,
  objectives: Objectives,
  /** Limits per client, enforced by a web ACL, which has a monthly price; undefined: none. */
  fairUse: v.optional(FairUse),
  /**
   * Time without a served request before someone is paged, at least a few minutes; undefined: never. CloudWatch
   * allows longer periods from an hour on, but an alarm about yesterday wakes nobody in time.
   * https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutMetricAlarm.html
   */
  expectsTrafficWithin: v.optional(
    v.pipe(
      v.custom<Duration>(
        (value) => value instanceof Duration,
        'must be a Duration, such as Duration.minutes(15)',
      ),
      v.check((value) => {
        const minutes = value.toMinutes({ integral: false });
        return Number.isInteger(minutes) && minutes >= 1 && minutes <= 24 * 60;
      }, 'must be whole minutes, from a minute to a day'),
    ),
  ),
  /** Undefined: no alarms. */
  alarms: v.optional(AlarmSettings),
});
export type StageSettings = Readonly<v.InferOutput<typeof StageSettings>>;

/** The stages, by name. To add one, add its record: docs/deploying.md#add-a-stage */
const records = {
  staging: {
    accountConcurrency: 1000,
    logRetention: RetentionDays.ONE_WEEK,
    memorySize: 512,
    hasDeletionProtection: false,
    removalPolicy: RemovalPolicy.DESTROY,
    hasCanary: false,
    objectives,
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
    objectives,
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
  const settings = new Map<string, StageSettings>(Object.entries(stages)).get(stage);
  if (settings) return settings;
  const names = Object.keys(stages).join(' or ');
  throw new Error(`infra/settings/stages.ts has no stage ${JSON.stringify(stage)}: choose ${names}.`);
}

import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as v from 'valibot';
import { tables } from '../../shared/tables/table-definitions.ts';
import { checkRanges } from './ranges.ts';
import { checkRestoredTables } from './restored-tables.ts';
import type { StageSettings } from './stages.ts';

/** A text of a form, without the `…` of an example in the documents. */
const text = (form: RegExp, expected: string) => {
  const problem = `must be ${expected}`;
  return v.pipe(v.string(problem), v.excludes('…', `${problem}, without "…"`), v.regex(form, problem));
};

/** A record with these settings and no others. */
const record = <const Entries extends v.ObjectEntries>(entries: Entries) => {
  const names = Object.keys(entries).join(', ');
  return v.strictObject(entries, ({ expected, received }) => {
    if (expected === 'never') return `is not a setting: choose one of ${names}`;
    return received === 'undefined' ? 'is missing' : `must be a record of ${names}`;
  });
};

const truth = v.boolean('must be true or false');
const number = v.number('must be a number');
const email = text(/^[^\s@]+@[^\s@]+\.[^\s@.]+$/, 'an email address');
const webAddress = text(/^https?:\/\/[\w.-]+[^\s]*$/, 'an absolute web address');
/** https://docs.aws.amazon.com/global-infrastructure/latest/regions/aws-regions.html */
const region = '[a-z]{2}(?:-[a-z]+)+-\\d';

// No message has the value, which may be the URL of a pager, a secret.
const pager = text(/^[\w.-]+$/, 'the name of a parameter such as "pager", not a URL, which is a secret');
const subscribers = v.array(
  v.union([record({ email }), record({ pager })], 'must have either an email or a pager'),
  'must be a list such as []',
);

/**
 * What a stage's record may have. TypeScript knows it too, but Node only strips the types: without this, a
 * deploy would ignore a misspelled setting.
 */
const Settings = record({
  target: v.optional(
    record({
      // https://docs.aws.amazon.com/accounts/latest/reference/manage-acct-identifiers.html
      account: text(/^\d{12}$/, 'the 12 digits of an account, in quotation marks'),
      region: text(new RegExp(`^${region}$`), 'a region such as eu-central-1'),
    }),
  ),
  domain: v.optional(
    record({
      // RFC 1123 §2.1
      name: text(
        /^(?=.{1,253}$)(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/,
        'a name such as api.example.com, in lower case, without https:// or a path',
      ),
      certificateArn: text(
        new RegExp(`^arn:aws[a-z-]*:acm:${region}:\\d{12}:certificate/[\\w-]+$`),
        'the ARN of a certificate in ACM',
      ),
      isOnlyAddress: v.optional(truth),
    }),
  ),
  contact: v.optional(
    record({
      name: text(/\S/, 'a text'),
      email: v.optional(email),
      url: v.optional(webAddress),
    }),
  ),
  restoredTables: v.optional(
    record(
      Object.fromEntries(Object.keys(tables).map((id) => [id, v.optional(text(/^/, 'the name of a table'))])),
    ),
  ),
  accountConcurrency: number,
  reservesConcurrency: v.optional(truth),
  logRetention: v.enum(RetentionDays, 'must be a value of RetentionDays'),
  memorySize: number,
  hasDeletionProtection: truth,
  removalPolicy: v.picklist(
    [RemovalPolicy.DESTROY, RemovalPolicy.RETAIN],
    'must be RemovalPolicy.DESTROY or RemovalPolicy.RETAIN',
  ),
  hasCanary: truth,
  fairUse: v.optional(record({ perKey: number, perAddress: number })),
  expectsTrafficWithin: v.optional(
    v.custom((value) => value instanceof Duration, 'must be a Duration, such as Duration.minutes(15)'),
  ),
  alarms: v.optional(
    record({
      page: subscribers,
      ticket: subscribers,
      runbook: v.optional(webAddress),
      monthlyBudget: v.optional(number),
    }),
  ),
} satisfies Record<keyof StageSettings, v.GenericSchema>);

/**
 * Checks what can be known of a stage's settings before a deploy.
 *
 * @throws {Error} naming each setting that is wrong, with its stage and file
 */
export function checkSettings(stage: string, settings: StageSettings): void {
  const ofStage = `of ${stage} in infra/settings/stages.ts`;
  const { issues = [] } = v.safeParse(Settings, settings, { abortPipeEarly: true });
  const mistakes = issues.map((issue) => `${v.getDotPath(issue)} ${ofStage} ${issue.message}.`);
  if (mistakes.length > 0) throw new Error(mistakes.join(' '));

  checkRanges(stage, settings);
  const { domain, target, restoredTables } = settings;
  // A regional domain takes only a certificate of its region.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-regional-api-custom-domain-create.html
  if (domain && target && domain.certificateArn.split(':')[3] !== target.region) {
    throw new Error(`domain.certificateArn ${ofStage} must be of the target's region, ${target.region}.`);
  }
  checkRestoredTables(stage, restoredTables);
}

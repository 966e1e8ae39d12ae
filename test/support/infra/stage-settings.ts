import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import type { AlarmSettings } from '../../../infra/settings/alarm-settings.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';

/** A stage with no more than it needs. */
export const leastSettings: StageSettings = {
  accountConcurrency: 1000,
  logRetention: RetentionDays.ONE_WEEK,
  memorySize: 512,
  hasDeletionProtection: false,
  removalPolicy: RemovalPolicy.DESTROY,
  hasCanary: false,
  objectives: { errorBudget: 0.001, slowBudget: 0.01, slowAfterMilliseconds: 1000 },
};

/** A stage that clients rely on. */
export const productionSettings = {
  ...leastSettings,
  reservesConcurrency: true,
  logRetention: RetentionDays.THREE_MONTHS,
  hasDeletionProtection: true,
  removalPolicy: RemovalPolicy.RETAIN,
  hasCanary: true,
  fairUse: { perKey: 6000, perAddress: 12_000 },
  expectsTrafficWithin: Duration.minutes(15),
  alarms: {
    page: [{ email: 'on-call@pets.example' }],
    ticket: [],
    runbook: 'https://pets.example/runbook',
  },
} satisfies StageSettings;

/** A stage with every setting. A setting that is missing here does not compile. */
export const everySetting = {
  ...productionSettings,
  objectives: { errorBudget: 0.002, slowBudget: 0.05, slowAfterMilliseconds: 300 },
  target: { account: '111111111111', region: 'eu-central-1' },
  domain: {
    name: 'api.pets.example',
    certificateArn: 'arn:aws:acm:eu-central-1:111111111111:certificate/0',
    isOnlyAddress: true,
  },
  contact: { name: 'Pet Store partners', email: 'partners@pets.example', url: 'https://pets.example' },
  alarms: {
    page: [{ pager: 'pager' }],
    ticket: [{ email: 'team@pets.example' }],
    runbook: 'https://pets.example/runbook',
    monthlyBudget: 100,
  } satisfies Required<AlarmSettings>,
} satisfies Required<StageSettings>;

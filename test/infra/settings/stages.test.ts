import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { describe, expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';
import { stackName } from '../../../infra/stack-names.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { acceptedFindings, nagFindings } from '../../support/infra/accepted-findings.ts';
import { pinnedIds, typesOf } from '../../support/infra/pinned-ids.ts';
import { everySetting } from '../../support/infra/stage-settings.ts';

const { certificateArn, name } = everySetting.domain;

type Choices = Readonly<Record<string, Partial<StageSettings>>>;

const everySettingOf = (stage: string): StageSettings => ({
  ...everySetting,
  restoredTables: {
    pets: `${stackName(stage)}-restored-pets-1`,
    apiKeys: `${stackName(stage)}-restored-apiKeys-1`,
  },
});

/** What an owner may set in a stage's record, in place of what is there. */
const choicesOf = (stage: string): Choices => ({
  'what it has': {},
  'every setting': everySettingOf(stage),
});

/** Each setting alone, which takes longer: `npm run daily -- settings` tests these. */
const furtherChoicesOf = (stage: string): Choices => ({
  ...Object.fromEntries(
    Object.entries(everySettingOf(stage)).map(([setting, value]) => [setting, { [setting]: value }]),
  ),
  'alarms that notify nobody': { alarms: { page: [], ticket: [] } },
  'a domain beside the default address': { domain: { name, certificateArn } },
  'no protection': { hasCanary: false, hasDeletionProtection: false, removalPolicy: RemovalPolicy.DESTROY },
  'other sizes': { accountConcurrency: 10_000, memorySize: 1769, logRetention: RetentionDays.TEN_YEARS },
});

const { EACH_SETTING } = process.env;

const outdir = temporaryDirectory();

describe.each(Object.entries(stages))('%s', (stage, record) => {
  it.each(Object.entries({ ...choicesOf(stage), ...(EACH_SETTING && furtherChoicesOf(stage)) }))(
    'can have %s',
    (_title, choice) => {
      const settings = { ...record, ...choice };
      const app = petStoreApp(
        { [stage]: settings },
        { outdir, release: { commit: '0a1b' }, builtinCloudFormationValidation: false },
      );

      const { template } = app.synth().getStackByName(stackName(stage));

      expect(nagFindings(app, stackName(stage))).toEqual(acceptedFindings(template));
      expect(typesOf(template)).toMatchObject(pinnedIds(settings));
    },
  );
});

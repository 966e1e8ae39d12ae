import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { operationSettings } from '../../../infra/settings/limits-and-permissions.ts';
import { validateSettings } from '../../../infra/settings/validate-settings.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { everySetting, leastSettings, productionSettings } from '../../support/infra/stage-settings.ts';

const { alarms, domain, objectives, target } = everySetting;
const file = 'in infra/settings/stages.ts';

/** Checks settings as Node sees them, without types. */
const check = (stages: object, operations: object = operationSettings) =>
  validateSettings(
    JSON.parse('{}', () => stages),
    JSON.parse('{}', () => operations),
  );

const production = (change: object) => () => check({ production: { ...productionSettings, ...change } });

describe('a stage cannot have', () => {
  it.each<[string, object, string]>([
    ['hasCanry', { hasCanry: true }, 'is not a setting: choose one of target, domain, contact'],
    ['alarms.pages', { alarms: { ...alarms, pages: [] } }, 'is not a setting: choose one of page, ticket,'],
    ['alarms.page', { alarms: [] }, 'is missing.'],
    ['hasCanary', { hasCanary: 'yes' }, 'must be true or false.'],
    ['removalPolicy', { removalPolicy: RemovalPolicy.SNAPSHOT }, 'must be RemovalPolicy.DESTROY or'],
    ['logRetention', { logRetention: 8 }, 'must be a value of RetentionDays.'],
    ['target.account', { target: { ...target, account: '11111111111' } }, 'must be the 12 digits of'],
    ['target.region', { target: { ...target, region: 'Frankfurt' } }, 'must be a region such as eu-central'],
    ['domain.name', { domain: { ...domain, name: 'https://api.pets.example' } }, 'must be a name such as'],
    ['domain.certificateArn', { domain: { ...domain, certificateArn: '0' } }, 'must be the ARN of a'],
    ['contact.email', { contact: { name: 'Partners', email: 'partners' } }, 'must be an email address.'],
    ['alarms.runbook', { alarms: { ...alarms, runbook: 'docs/runbook.md' } }, 'must be an absolute web'],
    ['alarms.page.0', { alarms: { ...alarms, page: ['on-call@pets.example'] } }, 'must have either an email'],
    ['memorySize', { memorySize: 127 }, 'is 127, but must be a whole number from 128 to 10,240 MB.'],
    ['expectsTrafficWithin', { expectsTrafficWithin: 15 }, 'must be a Duration, such as Duration.minutes'],
    ['expectsTrafficWithin', { expectsTrafficWithin: Duration.seconds(90) }, 'must be whole minutes, from'],
    ['fairUse.perKey', { fairUse: { perKey: 9, perAddress: 6000 } }, 'is 9, but must be a whole number'],
    ['alarms.monthlyBudget', { alarms: { ...alarms, monthlyBudget: 0 } }, 'is 0, but must be a number from'],
    [
      'objectives.errorBudget',
      { objectives: { ...objectives, errorBudget: 0.07 } },
      'is 0.07, but must be a',
    ],
  ])('%s as in %j', (setting, change, problem) => {
    expect(production(change)).toThrow(`${setting} of production ${file} ${problem}`);
  });

  it('the URL of a pager, which no message prints', () => {
    const page = [{ pager: 'https://pager.example/secret' }];

    const checking = production({ alarms: { ...alarms, page } });

    expect(checking).toThrow(
      `alarms.page.0.pager of production ${file} must be the name of a parameter such as "pager", not a URL, which is a secret.`,
    );
    expect(checking).not.toThrow('pager.example');
  });
});

/** As many letters as follow the service's name in 25. */
const longestName = 'a'.repeat(25 - 'PetStore-'.length);

it.each(['Staging', 'dev2', 'dev-anna', 'local', `${longestName}a`])('a stage cannot be named %s', (name) => {
  expect(() => check({ [name]: leastSettings })).toThrow(
    `A stage cannot be named "${name}": choose at most ${longestName.length} lowercase letters, and not "local".`,
  );
});

it('a stage can have the longest name that CloudFormation cannot cut', () => {
  expect(() => check({ [longestName]: leastSettings })).not.toThrow();
});

it.each<object>([
  { expectsTrafficWithin: Duration.hours(24) },
  { target: { account: '012345678901', region: 'us-gov-west-1' } },
  { memorySize: 128, fairUse: { perKey: 10, perAddress: 10 } },
  // AWS Budgets takes any amount, and Lambda any memory in steps of 1 MB.
  { memorySize: 10_239, alarms: { page: [], ticket: [], monthlyBudget: 0.5 } },
])('a stage can have %j', (settings) => {
  expect(production(settings)).not.toThrow();
});

describe('an operation cannot have', () => {
  const [id = ''] = Object.keys(operationSettings);
  const ofOperations = 'of operationSettings in infra/settings/limits-and-permissions.ts';
  const throttling = { rateLimit: 10, burstLimit: 10 };

  it.each<[string, object | undefined, string]>([
    ['', undefined, 'is missing.'],
    ['.tableActions', { throttling }, 'is missing.'],
    [
      '.throttling.burstLimit',
      { throttling: { ...throttling, burstLimit: 1.5 }, tableActions: {} },
      'is 1.5, but must be a whole number from 1 to 1,000,000.',
    ],
    ['.tableActions.keys', { throttling, tableActions: { keys: {} } }, 'is not a setting: choose one of '],
    [
      '.tableActions.apiKeys.table.0',
      { throttling, tableActions: { apiKeys: { table: ['dynamodb:DeleteTable'] } } },
      'must be one of dynamodb:BatchGetItem, ',
    ],
  ])('wrong settings: %s of %j', (setting, settings, problem) => {
    expect(() => check({ staging: leastSettings }, { ...operationSettings, [id]: settings })).toThrow(
      `${id}${setting} ${ofOperations} ${problem}`,
    );
  });
});

it.each([
  ['another account', 'arn:aws:acm:eu-central-1:222222222222:certificate/0', '222222222222, eu-central-1'],
  ['another region', 'arn:aws:acm:us-east-1:111111111111:certificate/0', '111111111111, us-east-1'],
])('a certificate of %s than the target is refused', (_title, certificateArn, place) => {
  expect(production({ target, domain: { ...domain, certificateArn } })).toThrow(
    `domain.certificateArn of production ${file} is in ${place}, but must be in the target: 111111111111, eu-central-1.`,
  );
});

it('all mistakes are named at once', () => {
  expect(production({ memorySize: 1, accountConcurrency: -1 })).toThrow(
    /^accountConcurrency .* 1,000,000\. memorySize .* MB\.$/,
  );
});

it('limits beyond the concurrency of the account are refused', () => {
  expect(production({ accountConcurrency: 10 })).toThrow(
    'concurrent executions, but the account of production has 10. Lower a rateLimit or burstLimit in ',
  );
});

it('the synthesis refuses settings that are wrong', () => {
  const stages = { production: { ...productionSettings, memorySize: 64 } };

  const synthesis = () => petStoreApp(stages, { outdir: temporaryDirectory() });

  expect(synthesis).toThrow(`memorySize of production ${file} is 64, but must be a whole number`);
});

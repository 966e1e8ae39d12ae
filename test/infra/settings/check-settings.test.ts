import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { describe, expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { everySetting, leastSettings, productionSettings } from '../../support/infra/stage-settings.ts';

const { alarms, domain, target } = everySetting;
const file = 'in infra/settings/stages.ts';

/** Synthesizes stages as `cdk synth` does, which ignores types. */
const synthesize = (stages: object) =>
  petStoreApp(stages as Record<string, StageSettings>, {
    outdir: temporaryDirectory(),
    release: { commit: '0a1b' },
  });

const production = (change: object) => () => synthesize({ production: { ...productionSettings, ...change } });

describe('the synthesis refuses', () => {
  const tableName = 'must be the name of a table: 3 to 255 of the characters a-z, A-Z, 0-9, "_", "-" and "."';
  const ownPrefixes = 'must begin with PetStore-production- or pet-store-: no role may use another table';
  const keyPrefixes =
    'must begin with PetStore-production-TablesApiKeys or pet-store-keys-: the role keys may use no other table';

  it.each([
    ['pets', 'ps', tableName],
    ['pets', '', tableName],
    ['pets', 'pet-store-pets/1', tableName],
    ['pets', 'pet-store-pets 1', tableName],
    ['pets', `pet-store-${'a'.repeat(246)}`, tableName],
    ['pets', 'pets-restored', ownPrefixes],
    ['pets', 'PetStore-staging-TablesPets', ownPrefixes],
    ['pets', 'pet-store-keys-1', 'must not be a table of keys: choose a name without "keys"'],
    ['pets', 'pet-store-pets-…', 'must be the name of a table, without "…"'],
    ['apiKeys', 'keys-restored', keyPrefixes],
    ['apiKeys', 'pet-store-api-keys-1', keyPrefixes],
    ['apiKeys', 'PetStore-production-TablesPets', keyPrefixes],
    ['pet', 'pet-store-pets-1', 'is not a setting: choose one of pets, apiKeys'],
  ])('the restored table %s: %j', (id, name, problem) => {
    expect(production({ restoredTables: { [id]: name } })).toThrow(
      `restoredTables.${id} of production ${file} ${problem}.`,
    );
  });

  it.each<[string, object, string]>([
    ['hasCanry', { hasCanry: true }, 'is not a setting: choose one of target, domain, contact'],
    ['alarms.pages', { alarms: { ...alarms, pages: [] } }, 'is not a setting: choose one of page, ticket,'],
    ['memorySize', { memorySize: undefined }, 'must be a number.'],
    ['hasCanary', { hasCanary: 'yes' }, 'must be true or false.'],
    ['removalPolicy', { removalPolicy: RemovalPolicy.SNAPSHOT }, 'must be RemovalPolicy.DESTROY or'],
    ['logRetention', { logRetention: 8 }, 'must be a value of RetentionDays.'],
    ['expectsTrafficWithin', { expectsTrafficWithin: 15 }, 'must be a Duration, such as Duration.minutes'],
    ['target.account', { target: { ...target, account: '11111111111' } }, 'must be the 12 digits of'],
    [
      'target.region',
      { target: { ...target, region: 'Frankfurt' } },
      'must be a region such as eu-central-1.',
    ],
    [
      'domain.name',
      { domain: { ...domain, name: 'https://api.pets.example' } },
      'must be a name such as api.',
    ],
    ['domain.name', { domain: { ...domain, name: 'api.pets.example/v1' } }, 'must be a name such as api.'],
    ['domain.certificateArn', { domain: { ...domain, certificateArn: '0' } }, 'must be the ARN of a'],
    [
      'domain.certificateArn',
      { domain, target: { ...target, region: 'eu-west-1' } },
      "must be of the target's region, eu-west-1.",
    ],
    ['contact.email', { contact: { name: 'Partners', email: 'partners' } }, 'must be an email address.'],
    ['contact.url', { contact: { name: 'Partners', url: 'pets.example' } }, 'must be an absolute web'],
    ['alarms.runbook', { alarms: { ...alarms, runbook: 'docs/runbook.md' } }, 'must be an absolute web'],
    [
      'alarms.runbook',
      { alarms: { ...alarms, runbook: 'https://github.com/…/docs/runbook.md' } },
      'must be an absolute web address, without "…".',
    ],
    ['alarms.page.0.email', { alarms: { ...alarms, page: [{ email: 'on-call' }] } }, 'must be an email'],
    ['alarms.page.0', { alarms: { ...alarms, page: ['on-call@pets.example'] } }, 'must have either an email'],
  ])('%s as in %j', (setting, change, problem) => {
    expect(production(change)).toThrow(`${setting} of production ${file} ${problem}`);
  });

  it('a stage without a setting that each stage needs', () => {
    const { memorySize, ...incomplete } = leastSettings;

    expect(() => synthesize({ staging: incomplete })).toThrow(`memorySize of staging ${file} is missing.`);
    expect(memorySize).toBe(512);
  });

  it('the URL of a pager, without printing it', () => {
    const page = [{ pager: 'https://pager.example/secret' }];

    const synthesis = production({ alarms: { ...alarms, page } });

    expect(synthesis).toThrow(
      `alarms.page.0.pager of production ${file} must be the name of a parameter such as "pager", not a URL, which is a secret.`,
    );
    expect(synthesis).not.toThrow('pager.example');
  });

  it('one restored table for two stages of an account', () => {
    const settings = { ...leastSettings, restoredTables: { pets: 'pet-store-pets-1' } };

    expect(() => synthesize({ staging: settings, production: settings })).toThrow(
      `restoredTables.pets of staging and restoredTables.pets of production ${file} are the same: give each`,
    );
  });

  it('one domain for two stages', () => {
    const settings = { ...leastSettings, domain };

    expect(() => synthesize({ staging: settings, production: settings })).toThrow(
      `domain.name of staging and domain.name of production ${file} are the same: give each`,
    );
  });
});

it.each<Partial<StageSettings>>([
  { restoredTables: { pets: 'pet-store-pets-1', apiKeys: 'pet-store-keys-1' } },
  {
    restoredTables: {
      pets: 'PetStore-production-TablesPetsD2B49199-1A2B',
      apiKeys: 'PetStore-production-TablesApiKeys330F873D-1A2B',
    },
  },
  { expectsTrafficWithin: Duration.hours(24) },
  { target: { account: '012345678901', region: 'us-gov-west-1' } },
])('the synthesis accepts %j', (settings) => {
  expect(production(settings)).not.toThrow();
});

it.each([
  ['an account', 'a table', { restoredTables: { pets: 'pet-store-pets-1' } }, '222222222222', 'eu-central-1'],
  ['a region', 'a table', { restoredTables: { pets: 'pet-store-pets-1' } }, '111111111111', 'eu-west-1'],
  // The new stage of a region that is lost takes over its domain.
  [
    'a region',
    'a domain',
    { domain: { ...domain, certificateArn: 'arn:aws:acm:eu-west-1:111111111111:certificate/1' } },
    '111111111111',
    'eu-west-1',
  ],
])('a stage in %s of its own can have %s with the same name', (_place, _what, change, account, region) => {
  const staging = { ...everySetting, target };
  const other = { ...leastSettings, ...change, target: { account, region } };

  expect(() => synthesize({ staging, production: other })).not.toThrow();
});

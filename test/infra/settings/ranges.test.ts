import { Duration } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { checkRanges } from '../../../infra/settings/ranges.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { everySetting, leastSettings, productionSettings } from '../../support/infra/stage-settings.ts';

const stagesFile = 'of staging in infra/settings/stages.ts';
const operationsFile = 'of getPet in infra/settings/operation-settings.ts';

it.each([
  ['the least', leastSettings],
  ['every', everySetting],
  ['the smallest', { ...leastSettings, memorySize: 128, fairUse: { perKey: 10, perAddress: 10 } }],
  ['the largest', { ...leastSettings, memorySize: 10_240 }],
  // AWS Budgets takes any amount, and Lambda any memory in steps of 1 MB.
  ['odd', { ...leastSettings, memorySize: 513, alarms: { page: [], ticket: [], monthlyBudget: 0.5 } }],
])('%s settings are in range', (_title, settings) => {
  expect(() => checkRanges('staging', settings)).not.toThrow();
});

it.each<[Partial<StageSettings>, string]>([
  [{ memorySize: 64 }, `memorySize ${stagesFile} is 64, but must be a whole number from 128 to 10,240 MB.`],
  [{ memorySize: 20_000 }, `memorySize ${stagesFile} is 20000, but must be a whole number`],
  [{ memorySize: 512.5 }, `memorySize ${stagesFile} is 512.5, but must be a whole number`],
  [{ memorySize: Number.NaN }, `memorySize ${stagesFile} is NaN, but must be a whole number`],
  [{ accountConcurrency: 0 }, `accountConcurrency ${stagesFile} is 0, but must be a whole number`],
  [
    { expectsTrafficWithin: Duration.seconds(90) },
    `expectsTrafficWithin ${stagesFile} is 1.5, but must be a whole number from 1 to 1,440 minutes.`,
  ],
  [
    { fairUse: { perKey: 9, perAddress: 6000 } },
    `fairUse.perKey ${stagesFile} is 9, but must be a whole number`,
  ],
  [
    { fairUse: { perKey: 10, perAddress: 1 } },
    `fairUse.perAddress ${stagesFile} is 1, but must be a whole number`,
  ],
  [
    { alarms: { ...productionSettings.alarms, monthlyBudget: 0 } },
    `alarms.monthlyBudget ${stagesFile} is 0, but must be a number from 0.01 to 1,000,000 US dollars.`,
  ],
])('the settings %j are refused', (change, message) => {
  expect(() => checkRanges('staging', { ...leastSettings, ...change })).toThrow(message);
});

it.each([
  [{ rateLimit: 0, burstLimit: 1 }, `rateLimit ${operationsFile} is 0, but must be a number from 1 to`],
  [{ rateLimit: 1.5, burstLimit: 1.5 }, `burstLimit ${operationsFile} is 1.5, but must be a whole number`],
])('the limits %j are refused', (throttling, message) => {
  expect(() => checkRanges('staging', leastSettings, { getPet: { throttling } })).toThrow(message);
});

it('all mistakes are named at once', () => {
  const settings = { ...leastSettings, memorySize: 1, accountConcurrency: -1 };

  expect(() => checkRanges('staging', settings)).toThrow(/^memorySize .* MB\. accountConcurrency .*\.$/);
});

it('the synthesis refuses settings that are out of range', () => {
  const production = { ...productionSettings, memorySize: 64 };

  const synthesis = () => petStoreApp({ production }, { outdir: temporaryDirectory() });

  expect(synthesis).toThrow(
    'memorySize of production in infra/settings/stages.ts is 64, but must be a whole number',
  );
});

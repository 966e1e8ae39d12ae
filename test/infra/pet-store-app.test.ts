import { Stack } from 'aws-cdk-lib/core';
import { expect, it } from 'vitest';
import { petStoreApp } from '../../infra/pet-store-app.ts';
import type { StageSettings } from '../../infra/settings/stages.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { everySetting, leastSettings } from '../support/infra/stage-settings.ts';

const releaseOf = (settings: StageSettings) =>
  petStoreApp(
    { production: settings },
    { outdir: temporaryDirectory(), release: { commit: '0a1b' }, builtinCloudFormationValidation: false },
  );
const { target: _, ...withoutTarget } = everySetting;

it('a stage is deployed to its target', () => {
  const { environment } = releaseOf(everySetting).synth().getStackByName('PetStore-production');

  expect(environment.name).toBe('aws://111111111111/eu-central-1');
});

it('a target changes no template', () => {
  const [withTarget, without] = [everySetting, withoutTarget].map((settings) =>
    releaseOf(settings)
      .synth()
      .stacks.map(({ template }) => template),
  );

  expect(withTarget).toEqual(without);
});

const ownWarnings = (settings: StageSettings) =>
  Stack.of(releaseOf(settings).node.findChild('PetStore-production'))
    .node.metadata.filter(({ type }) => type === 'aws:cdk:warning')
    .map(({ data }) => `${data}`.replace(/ \[ack: .*/, ''));

it.each([
  [
    'lacks',
    leastSettings,
    'The stage goes to the account and region that you are signed in to, without alarms. Before clients depend on it, follow docs/deploying.md#before-clients-depend-on-it.',
  ],
  [
    'needs before its first deploy',
    { ...withoutTarget, accountConcurrency: 1000, reservesConcurrency: true },
    'The stage goes to the account and region that you are signed in to. The deploy fails after minutes if this account may run fewer than 1000 functions at once (a new account: 10). First follow docs/deploying.md#before-clients-depend-on-it.',
  ],
])('the synthesis says what a stage without a target %s', (_title, settings, warning) => {
  expect(ownWarnings(settings)).toEqual([warning]);
});

it('the synthesis warns of nothing that a stage with a target has', () => {
  expect(ownWarnings(everySetting)).toEqual([]);
});

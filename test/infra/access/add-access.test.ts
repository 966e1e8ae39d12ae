import { expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { everySetting, leastSettings } from '../../support/infra/stage-settings.ts';

const releaseOf = (settings: StageSettings) =>
  petStoreApp(
    { production: settings },
    { outdir: temporaryDirectory(), release: { commit: '0a1b' }, builtinCloudFormationValidation: false },
  ).synth();

it('a stage is deployed after its access stack', () => {
  const { dependencies } = releaseOf(leastSettings).getStackByName('PetStore-production');

  expect(dependencies.map(({ id }) => id)).toContain('PetStore-production-access');
});

it.each([
  ['its target', everySetting, 'aws://111111111111/eu-central-1'],
  ['any account', leastSettings, 'aws://unknown-account/unknown-region'],
])('the access stack of a stage goes to %s', (_title, settings, environment) => {
  const { environment: ofAccess } = releaseOf(settings).getStackByName('PetStore-production-access');

  expect(ofAccess.name).toBe(environment);
});

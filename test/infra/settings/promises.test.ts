import { RemovalPolicy } from 'aws-cdk-lib';
import { expect, it } from 'vitest';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';

/** Returns the settings of a stage as the documents speak of them: without figures. */
function shipped(stage: string) {
  const settings = new Map<string, StageSettings>(Object.entries(stages)).get(stage);
  const { reservesConcurrency = false, fairUse, ...others } = settings ?? {};
  return { ...others, reservesConcurrency, fairUse: fairUse !== undefined };
}

// All other tests leave these to the owner.
it.each([
  ['staging', 'hasCanary', false],
  ['staging', 'hasDeletionProtection', false],
  ['staging', 'removalPolicy', RemovalPolicy.DESTROY],
  ['staging', 'reservesConcurrency', false],
  ['staging', 'fairUse', true],
  ['production', 'hasCanary', true],
  ['production', 'hasDeletionProtection', true],
  ['production', 'removalPolicy', RemovalPolicy.RETAIN],
  ['production', 'reservesConcurrency', true],
  ['production', 'fairUse', true],
] as const)('the documents promise of %s: %s is %s', (stage, setting, promised) => {
  const remedy = `To give ${stage} another ${setting}, change its line in promises.test.ts too, and the documents.`;

  expect(shipped(stage)[setting], remedy).toBe(promised);
});

import { RemovalPolicy } from 'aws-cdk-lib/core';
import { expect, it } from 'vitest';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';

// All other settings are left to the owner.
it.each([
  ['hasDeletionProtection', true],
  ['removalPolicy', RemovalPolicy.RETAIN],
] as const)('production keeps its data: %s is %s', (setting, promised) => {
  const settings = new Map<string, StageSettings>(Object.entries(stages)).get('production');
  const remedy = `To give production another ${setting}, change its line in promises.test.ts too, and the documents.`;

  expect(settings?.[setting], remedy).toBe(promised);
});

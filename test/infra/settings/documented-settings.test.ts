import { compileFunction } from 'node:vm';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Duration, RemovalPolicy } from 'aws-cdk-lib/core';
import { expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { objectives } from '../../../infra/settings/objectives.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { settingsIn } from '../../support/infra/documented-settings.ts';
import { leastSettings } from '../../support/infra/stage-settings.ts';

interface Documented {
  readonly settings: readonly Partial<StageSettings>[];
  readonly stages: Readonly<Record<string, StageSettings>>;
}

const documents = ['docs/deploying.md', 'docs/before-you-rely-on-it.md'].map(settingsIn);

/** What stages.ts imports, as far as the documents use it. */
const names = { Duration, RemovalPolicy, RetentionDays, objectives };

it('what the documents set can be deployed, all together or as a stage', () => {
  const stagesOf = documents.flatMap((document) => document.stages).join('');
  const settingsOf = documents.flatMap((document) => document.settings.map((text) => `{ ${text} }`));
  const text = `return { stages: { ${stagesOf} }, settings: [ ${settingsOf} ] };`;

  const { settings, stages }: Documented = compileFunction(text, Object.keys(names))(...Object.values(names));
  const all = Object.assign({ ...leastSettings }, ...settings);

  expect(Object.keys(stages)).not.toEqual([]);
  // It checks every setting.
  petStoreApp({ production: all, ...stages }, { outdir: temporaryDirectory(), release: { commit: '0a1b' } });
});

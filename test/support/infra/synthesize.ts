import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Assembly, readAssembly } from '../../../bin/local-api/template/assembly.ts';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { stackName } from '../../../infra/stack-names.ts';
import { leastSettings, productionSettings } from './stage-settings.ts';

/** The stages of the tests, which an owner cannot change. */
const stages = { staging: leastSettings, production: productionSettings };

type Stage = keyof typeof stages;
type Props = Omit<NonNullable<Parameters<typeof petStoreApp>[1]>, 'outdir'> & {
  readonly settings?: StageSettings;
};

/** Synthesizes a stage of the tests in this process, whereas the local API uses a child process. */
export function synthesizeIn(outdir: string, stage: Stage, props: Props = {}): Assembly {
  const { settings = stages[stage], ...others } = props;
  petStoreApp({ [stage]: settings }, { outdir, builtinCloudFormationValidation: false, ...others }).synth();
  return readAssembly(outdir, stackName(stage));
}

/** Returns the assembly of a stage of the tests. The test files of a run share it, so that it is synthesized once. */
export function synthesize(stage: Stage, props: Props = {}): Assembly {
  const name = createHash('sha256')
    .update(JSON.stringify([stage, props]))
    .digest('hex');
  const assembly = join(inject('assemblies'), name);
  if (!existsSync(assembly)) {
    const unfinished = mkdtempSync(`${assembly}-`);
    synthesizeIn(unfinished, stage, props);
    try {
      renameSync(unfinished, assembly);
    } catch (error) {
      // Another worker may have synthesized it at the same time.
      if (!existsSync(assembly)) throw error;
    }
  }
  return readAssembly(assembly, stackName(stage));
}

/** Returns a release of production with changed settings. */
export const productionRelease = (changed: Partial<StageSettings> = {}): Assembly =>
  synthesize('production', {
    settings: { ...productionSettings, ...changed },
    release: { commit: '0a1b' },
  });

export const productionTemplate = (changed: Partial<StageSettings> = {}): unknown =>
  productionRelease(changed).template;

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { type Assembly, readAssembly } from '../../../infra/local/template/assembly.ts';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { type StageName, stackName } from '../../../infra/settings/stage-names.ts';
import { type StageSettings, stages } from '../../../infra/settings/stages.ts';

/**
 * Synthesizes a stage in this process, whereas the local API uses a child process. `dispose` removes the
 * temporary directory.
 */
export function synthesize(
  stage: StageName,
  props: Parameters<typeof petStoreApp>[1] = {},
): Assembly & { dispose(): void } {
  const outdir = mkdtempSync(join(tmpdir(), 'pet-store-'));
  petStoreApp([stage], { outdir, builtinCloudFormationValidation: false, ...props }).synth();
  const assembly = readAssembly(outdir, stackName(stage));
  return { ...assembly, dispose: () => rmSync(outdir, { recursive: true }) };
}

/** Returns the template of a release of production with changed settings. */
export function productionTemplate(settings: Partial<StageSettings> = {}): unknown {
  const page = [{ email: 'on-call@pets.example' }];
  const alarms = { page, ticket: [], runbook: 'https://pets.example/runbook' };
  const production = {
    ...stages.production,
    alarms,
    expectsTrafficWithin: Duration.minutes(15),
    ...settings,
  };
  const stack = synthesize('production', {
    settings: { ...stages, production },
    release: { commit: '0a1b' },
  });
  stack.dispose();
  return stack.template;
}

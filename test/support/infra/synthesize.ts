import { type Assembly, readAssembly } from '../../../infra/local/template/assembly.ts';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { stackName } from '../../../infra/stack-names.ts';
import { temporaryDirectory } from '../e2e/temporary-file.ts';
import { leastSettings, productionSettings } from './stage-settings.ts';

/** The stages of the tests, which an owner cannot change. */
const stages = { staging: leastSettings, production: productionSettings };

type Props = Parameters<typeof petStoreApp>[1] & { readonly settings?: StageSettings };

/** Synthesizes a stage of the tests in this process, whereas the local API uses a child process. */
export function synthesize(
  stage: keyof typeof stages,
  { settings = stages[stage], outdir = temporaryDirectory(), ...props }: Props = {},
): Assembly {
  petStoreApp({ [stage]: settings }, { outdir, builtinCloudFormationValidation: false, ...props }).synth();
  return readAssembly(outdir, stackName(stage));
}

/** The templates of releases, by their settings: test files that share modules synthesize each once. */
const templates = new Map<string, unknown>();

/** Returns the template of a release of production with changed settings. */
export function productionTemplate(changed: Partial<StageSettings> = {}): unknown {
  const settings = { ...productionSettings, ...changed };
  const key = JSON.stringify(settings);
  if (!templates.has(key)) {
    templates.set(key, synthesize('production', { settings, release: { commit: '0a1b' } }).template);
  }
  return templates.get(key);
}

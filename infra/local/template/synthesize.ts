import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { petStoreApp } from '../../pet-store-app.ts';
import { runsSources } from '../../service/bundle.ts';
import { type StageName, stackName } from '../../settings/stage-names.ts';
import { stages } from '../../settings/stages.ts';

/** A synthesized stack: its template, and the folder with the bundles that the template names. */
export interface SynthesizedStack {
  readonly stage: StageName;
  readonly name: string;
  readonly template: unknown;
  readonly directory: string;
  /** Removes the folder. */
  dispose(): void;
}

/**
 * Synthesizes the stack of a stage, as `cdk deploy` does, into a temporary folder. With `isDebugged` the bundles stand
 * for the sources, where a debugger finds its breakpoints.
 */
export function synthesize(
  stage: StageName,
  { isDebugged = false, settings = stages } = {},
): SynthesizedStack {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-'));
  const name = stackName(stage);
  // CloudFormation's checks take longer than all the rest: cdk synth and the tests make them.
  const app = petStoreApp([stage], {
    outdir: directory,
    builtinCloudFormationValidation: false,
    settings,
    context: { [runsSources]: isDebugged },
  });
  const { template } = app.synth().getStackByName(name);
  return { stage, name, template, directory, dispose: () => rmSync(directory, { recursive: true }) };
}

import { spawnSync } from 'node:child_process';
import * as v from 'valibot';
import { petStoreApp } from '../infra/pet-store-app.ts';
import { stageNames } from '../infra/settings/stage-names.ts';

/** With `-c pet-store:local=<stage>` the app is for the local API. */
const Context = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ 'pet-store:local': v.optional(v.picklist(stageNames)) }),
);
const { 'pet-store:local': localStage } = v.parse(Context, process.env['CDK_CONTEXT_JSON'] ?? '{}');

// CloudFormation's validation takes longer than everything else: the local API does without it.
if (localStage) petStoreApp([localStage], { builtinCloudFormationValidation: false });
else petStoreApp(stageNames, { release: { commit: commit() } });

/** Ends in -dirty if the working tree has other changes; undefined outside a Git repository. */
function commit(): string | undefined {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
    encoding: 'utf8',
  });
  return stdout?.trim() || undefined;
}

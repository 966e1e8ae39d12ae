import { spawnSync } from 'node:child_process';
import * as v from 'valibot';
import { petStoreApp } from '../infra/pet-store-app.ts';
import { settingsOf, stages } from '../infra/settings/stages.ts';

/** The local API synthesizes one stage, with `-c pet-store:local=<stage>`. */
const Context = v.pipe(v.string(), v.parseJson(), v.object({ 'pet-store:local': v.optional(v.string()) }));
const { 'pet-store:local': localStage } = v.parse(Context, process.env['CDK_CONTEXT_JSON'] ?? '{}');

// The local API skips CloudFormation's validation, which takes longer than everything else.
if (localStage !== undefined) {
  petStoreApp({ [localStage]: settingsOf(localStage) }, { builtinCloudFormationValidation: false });
} else petStoreApp(stages, { release: { commit: commit() } });

/** Returns the commit, with -dirty if the working tree has changed, or undefined outside a Git repository. */
function commit(): string | undefined {
  const { stdout } = spawnSync('git', ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'], {
    encoding: 'utf8',
  });
  return stdout?.trim() || undefined;
}

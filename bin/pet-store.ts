import * as v from 'valibot';
import { petStoreApp } from '../infra/pet-store-app.ts';
import { settingsOf, stages } from '../infra/settings/stages.ts';
import { commitOf } from './cli/commit.ts';

/** The local API synthesizes one stage, with `-c pet-store:local=<stage>`. */
const Context = v.pipe(v.string(), v.parseJson(), v.object({ 'pet-store:local': v.optional(v.string()) }));
const { 'pet-store:local': localStage } = v.parse(Context, process.env['CDK_CONTEXT_JSON'] ?? '{}');

// The local API skips what it does not read, and CloudFormation's validation, which takes longer than everything
// else.
if (localStage !== undefined) {
  const settings = settingsOf(localStage);
  petStoreApp({ [localStage]: settings }, { builtinCloudFormationValidation: false, treeMetadata: false });
} else petStoreApp(stages, { release: { commit: commitOf('.') } });

import * as v from 'valibot';
import { petStoreApp } from '../infra/pet-store-app.ts';
import { settingsOf, stages } from '../infra/settings/stages.ts';
import { stackName } from '../infra/stack-names.ts';
import { commitOf } from './cli/commit.ts';

/** The local API synthesizes one stage, with `-c pet-store:local=<stage>`. */
const Context = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ 'pet-store:local': v.optional(v.string()), stage: v.optional(v.unknown()) }),
);
const context = v.parse(Context, process.env['CDK_CONTEXT_JSON'] ?? '{}');
const { 'pet-store:local': localStage, stage } = context;
// Many CDK apps take it, and it would choose nothing here.
if (stage !== undefined) {
  throw new Error(
    `-c stage=${stage} has no effect: name the stack, as in npx cdk diff ${stackName(`${stage}`)}.`,
  );
}

// The local API skips what it does not read, and CloudFormation's validation, which takes longer than everything
// else.
if (localStage !== undefined) {
  const settings = settingsOf(localStage);
  petStoreApp({ [localStage]: settings }, { builtinCloudFormationValidation: false, treeMetadata: false });
} else petStoreApp(stages, { release: { commit: commitOf('.') } });

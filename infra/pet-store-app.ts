import { App, type AppProps } from 'aws-cdk-lib';
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { PetStoreStack } from './pet-store-stack.ts';
import type { Shell } from './settings/deploy-target.ts';
import type { StageName } from './settings/stage-names.ts';
import { type StageSettings, stages } from './settings/stages.ts';

export interface PetStoreAppProps extends AppProps {
  readonly settings?: Readonly<Record<StageName, StageSettings>>;
  /** Whose account the stacks are for; without a shell they are for none, and may be read for any. */
  readonly shell?: Shell;
}

/** The CDK app with the stacks of some stages. */
export function petStoreApp(
  stageNames: readonly StageName[],
  { settings = stages, shell, ...props }: PetStoreAppProps = {},
): App {
  const app = new App({
    ...props,
    analyticsReporting: false,
    // What the library recommends to new projects: among them, that what CloudFormation would refuse fails `cdk synth`.
    postCliContext: CURRENTLY_RECOMMENDED_FLAGS,
  });
  for (const stage of stageNames) new PetStoreStack(app, stage, settings[stage], shell);
  return app;
}

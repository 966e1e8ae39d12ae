import { App, type AppProps } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { PetStoreStack } from './pet-store-stack.ts';
import type { StageName } from './settings/stage-names.ts';
import { type StageSettings, stages } from './settings/stages.ts';

interface PetStoreAppProps extends AppProps {
  readonly settings?: Readonly<Record<StageName, StageSettings>>;
  /** Deployed to the stages' targets; without it, the stacks are for any account and region. */
  readonly release?: { readonly commit: string | undefined };
}

export function petStoreApp(
  stageNames: readonly StageName[],
  { settings = stages, release, ...props }: PetStoreAppProps = {},
): App {
  const app = new App({
    ...props,
    analyticsReporting: false,
    // Pinned: recommended flags change. One makes `cdk synth` fail on what CloudFormation rejects.
    postCliContext: cdkJson.context,
  });
  for (const stage of stageNames) new PetStoreStack(app, stage, settings[stage], release);
  return app;
}

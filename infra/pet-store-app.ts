import { App, type AppProps } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { AccessStack } from './access/access-stack.ts';
import { PetStoreStack } from './pet-store-stack.ts';
import { checkSettings } from './settings/check-settings.ts';
import { type AllOperationSettings, operationSettings } from './settings/limits-and-permissions.ts';
import type { StageSettings } from './settings/stages.ts';

interface PetStoreAppProps extends AppProps {
  /**
   * Deployed to the stages' targets, from a commit unless it is unknown. Without a release, the stacks are for
   * any account and region.
   */
  readonly release?: { readonly commit: string | undefined };
  readonly operationSettings?: AllOperationSettings;
}

/**
 * Returns the app with a stack for each of these stages, by their names.
 *
 * @throws {Error} if API keys cannot contain a name, or a setting cannot be deployed
 */
export function petStoreApp(
  stages: Readonly<Record<string, StageSettings>>,
  { release, operationSettings: ofOperations = operationSettings, ...props }: PetStoreAppProps = {},
): App {
  const app = new App({
    ...props,
    analyticsReporting: false,
    // Pinned: recommended flags change. One makes `cdk synth` fail on what CloudFormation rejects.
    postCliContext: cdkJson.context,
  });
  checkSettings(stages, ofOperations);
  for (const [stage, settings] of Object.entries(stages)) {
    const stack = new PetStoreStack(app, { stage, settings, operationSettings: ofOperations, release });
    // Without the boundary, CloudFormation can create no role. The local API serves only the service.
    if (release) stack.addStackDependency(new AccessStack(app, stage, settings.target));
  }
  return app;
}

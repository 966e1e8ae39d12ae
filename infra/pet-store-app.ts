import { App } from 'aws-cdk-lib';
import { PetStoreStack } from './pet-store-stack.ts';
import type { StageName } from './stage-names.ts';

/** The CDK app with the stacks of some stages; `outdir` is CDK's own choice unless it is given. */
export function petStoreApp(stageNames: readonly StageName[], outdir?: string): App {
  const app = new App({
    ...(outdir !== undefined && { outdir }),
    analyticsReporting: false,
    // Without it a changed authorizer would not be deployed to the stage.
    postCliContext: { '@aws-cdk/aws-apigateway:authorizerChangeDeploymentLogicalId': true },
  });
  for (const stage of stageNames) new PetStoreStack(app, stage);
  return app;
}

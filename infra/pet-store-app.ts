import { App, type AppProps } from 'aws-cdk-lib';
import { APIGATEWAY_AUTHORIZER_CHANGE_DEPLOYMENT_LOGICAL_ID } from 'aws-cdk-lib/cx-api';
import { PetStoreStack } from './pet-store-stack.ts';
import type { StageName } from './stage-names.ts';

/** The CDK app with the stacks of some stages. */
export function petStoreApp(stageNames: readonly StageName[], props: AppProps = {}): App {
  const app = new App({
    ...props,
    analyticsReporting: false,
    // Without it a changed authorizer would not be deployed to the stage.
    postCliContext: { [APIGATEWAY_AUTHORIZER_CHANGE_DEPLOYMENT_LOGICAL_ID]: true },
  });
  for (const stage of stageNames) new PetStoreStack(app, stage);
  return app;
}

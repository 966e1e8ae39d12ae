import { Annotations, App, type AppProps, type Stack } from 'aws-cdk-lib/core';
import { EnvironmentUtils } from 'aws-cdk-lib/cx-api';
import cdkJson from '../cdk.json' with { type: 'json' };
import { serviceName } from '../shared/service.ts';
import { addAccess } from './access/access-stack.ts';
import { PetStoreStack } from './pet-store-stack.ts';
import {
  type AllOperationSettings,
  operationSettings as ownOperationSettings,
} from './settings/limits-and-permissions.ts';
import type { StageSettings } from './settings/stages.ts';
import { validateSettings } from './settings/validate-settings.ts';

type Target = NonNullable<StageSettings['target']>;

interface PetStoreAppProps extends AppProps {
  /**
   * Deployed to the stages' targets, from a commit unless it is unknown. Without a release, there is only the service,
   * for any account and region, as the local API serves it.
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
  { release, operationSettings = ownOperationSettings, ...props }: PetStoreAppProps = {},
): App {
  const app = new App({
    ...props,
    analyticsReporting: false,
    // Pinned: recommended flags change. One makes `cdk synth` fail on what CloudFormation rejects.
    postCliContext: cdkJson.context,
  });
  validateSettings(stages, operationSettings);
  for (const [stage, settings] of Object.entries(stages)) {
    const stack = new PetStoreStack(app, { stage, settings, operationSettings, release });
    if (release) {
      const access = addAccess(app, stack, stage);
      if (settings.target) setTarget([access, stack], settings.target);
      else warnOfTrial(stack, settings);
    }
  }
  return app;
}

function setTarget(stacks: readonly Stack[], { account, region }: Target): void {
  // Not the property `env`, which would write the target into the templates. The first deploy after a target was set
  // would fail: to the CDK, each function would have changed, and Lambda publishes no version of an unchanged one.
  // https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html
  const environment = EnvironmentUtils.format(account, region);
  for (const stack of stacks) Object.assign(stack, { environment });
}

/** Anybody may try a stage in an account to play in. */
function warnOfTrial(stack: PetStoreStack, settings: StageSettings): void {
  const { accountConcurrency, alarms, reservesConcurrency } = settings;
  const whatGoesWhere = `The stage goes to the account and region that you are signed in to${alarms ? '' : ', without alarms'}.`;
  const setUp = 'docs/deploying.md#before-clients-depend-on-it';
  Annotations.of(stack).addWarningV2(
    `${serviceName}:target`,
    reservesConcurrency
      ? `${whatGoesWhere} The deploy fails after minutes if this account may run fewer than ${accountConcurrency} functions at once (a new account: 10). First follow ${setUp}.`
      : `${whatGoesWhere} Before clients depend on it, follow ${setUp}.`,
  );
}

import { join } from 'node:path';
import { ArnFormat, Duration, Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { bundle } from '../service/bundle.ts';
import { type HandlerFunction, LoggedFunction } from '../service/handler-function.ts';
import type { StageSettings } from '../settings/stages.ts';

export interface ReleaseCheckProps {
  readonly settings: StageSettings;
  /** The authorizer, and the function of each operation, by name. */
  readonly functions: Readonly<Record<string, HandlerFunction>>;
  readonly applicationName: string;
}

/**
 * The function that CodeDeploy invokes before new versions receive requests: it invokes each of them once.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/tutorial-lambda-sam-create-lambda-before-traffic.html
 */
export class ReleaseCheck extends LoggedFunction {
  constructor(scope: Construct, id: string, { settings, functions, applicationName }: ReleaseCheckProps) {
    const directory = join(Stage.of(scope)?.outdir ?? '', 'bundle-release-check');
    // The SDK is in Lambda's runtime, and no client waits for this function.
    bundle('infra/release/check.ts', directory, { external: ['@aws-sdk/*'] });
    const versions = Object.entries(functions).map(([name, target]) => [
      name,
      target.function.currentVersion.functionArn,
    ]);
    super(scope, id, {
      settings,
      code: Code.fromAsset(directory),
      timeout: Duration.seconds(30),
      environment: Object.fromEntries(versions),
      permissions: [
        ...Object.values(functions).map((target) => ({
          actions: ['lambda:InvokeFunction'],
          resource: `${target.function.functionArn}:*`,
        })),
        {
          actions: ['codedeploy:PutLifecycleEventHookExecutionStatus'],
          resource: Stack.of(scope).formatArn({
            service: 'codedeploy',
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
            resource: 'deploymentgroup',
            resourceName: `${applicationName}/*`,
          }),
        },
      ],
    });
  }
}

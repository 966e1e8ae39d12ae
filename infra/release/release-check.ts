import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ArnFormat, Duration, Stack, Stage } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { buildSync } from 'esbuild';
import { type HandlerFunction, LoggedFunction } from '../service/handler-function.ts';
import type { StageSettings } from '../settings/stages.ts';

export interface ReleaseCheckProps {
  readonly settings: StageSettings;
  /** By the name that the check has for them. */
  readonly functions: Readonly<Record<string, HandlerFunction>>;
  readonly applicationName: string;
}

/**
 * The function that CodeDeploy invokes before new versions receive requests: it invokes each of them once.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/tutorial-lambda-sam-create-lambda-before-traffic.html
 */
export class ReleaseCheck extends LoggedFunction {
  constructor(scope: Construct, id: string, { settings, functions, applicationName }: ReleaseCheckProps) {
    const stack = Stack.of(scope);
    const versions = Object.entries(functions).map(([name, target]) => [
      name,
      target.function.currentVersion.functionArn,
    ]);
    super(scope, id, {
      settings,
      code: bundledCode(scope),
      timeout: Duration.seconds(30),
      environment: { VERSIONS: stack.toJsonString(Object.fromEntries(versions)) },
      permissions: [
        ...Object.values(functions).map((target) => ({
          actions: ['lambda:InvokeFunction'],
          resource: `${target.function.functionArn}:*`,
        })),
        {
          actions: ['codedeploy:PutLifecycleEventHookExecutionStatus'],
          resource: stack.formatArn({
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

/** Bundles the check without the SDK, which is in Lambda's runtime: no client waits for this function. */
function bundledCode(scope: Construct): Code {
  const directory = join(Stage.of(scope)?.outdir ?? '', 'bundle-release-check');
  buildSync({
    entryPoints: [fileURLToPath(new URL('check.ts', import.meta.url))],
    outfile: join(directory, 'index.mjs'),
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    external: ['@aws-sdk/*'],
  });
  return Code.fromAsset(directory);
}

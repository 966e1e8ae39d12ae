import { join } from 'node:path';
import { ArnFormat, Duration, Stack, Stage } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { ManagedPolicy, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type Alias, CfnAlias, Code } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Indicators } from '../monitoring/indicators/indicators.ts';
import type { Watched } from '../monitoring/indicators/watched.ts';
import { bundle } from '../service/bundle.ts';
import { LoggedFunction } from '../service/handler-function.ts';
import { rollbackAlarms } from './rollback-alarms.ts';

/** Shifts each function's alias to a checked new version, and rolls back if an alarm fires meanwhile. */
export function addReleases(
  scope: Construct,
  { stage, settings, functions }: Pick<Watched, 'stage' | 'settings' | 'functions'>,
  indicators: Indicators,
  ticketTopic: ITopic | undefined,
): void {
  const application = new LambdaApplication(scope, 'Application');
  const { applicationName } = application;
  const check = new LoggedFunction(scope, 'Check', {
    settings,
    code: checkCode(scope),
    timeout: Duration.seconds(30),
    environment: {
      STAGE: stage,
      ...Object.fromEntries(
        Object.entries(functions).map(([name, target]) => [name, target.function.currentVersion.functionArn]),
      ),
    },
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
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
    ],
    inlinePolicies: {
      check: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['lambda:InvokeFunction'],
            resources: [check.function.functionArn],
          }),
        ],
      }),
    },
  }).withoutPolicyUpdates();
  const handlers = Object.values(functions);
  // All alarms in each group, so that all deployments of a release stop together.
  const alarms = rollbackAlarms(new Construct(scope, 'Alarms'), indicators, handlers);
  for (const handler of handlers) {
    new LambdaDeploymentGroup(scope, handler.node.id, {
      application,
      role,
      alias: handler.live,
      preHook: check.function,
      alarms,
      deploymentConfig: settings.hasCanary
        ? LambdaDeploymentConfig.CANARY_10PERCENT_15MINUTES
        : LambdaDeploymentConfig.ALL_AT_ONCE,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    if (isFixForward(scope)) skipCodeDeploy(handler.live);
  }
  if (ticketTopic) reportFailures(new Construct(scope, 'Failed'), ticketTopic, applicationName);
}

/** Whether this release fixes what alarms report, and so has no check or canary: `-c fixForward=true`. */
const isFixForward = (scope: Construct) => String(scope.node.tryGetContext('fixForward')) === 'true';

/**
 * Without this policy, CloudFormation itself points an alias at its new version, whatever the alias shows.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
 */
function skipCodeDeploy({ node: { defaultChild } }: Alias): void {
  if (defaultChild instanceof CfnAlias) delete defaultChild.cfnOptions.updatePolicy;
}

/**
 * Bundles the function that CodeDeploy invokes before new versions receive requests. Lambda's runtime has
 * the SDK.
 * https://docs.aws.amazon.com/codedeploy/latest/userguide/tutorial-lambda-sam-create-lambda-before-traffic.html
 */
function checkCode(scope: Construct): Code {
  const directory = join(Stage.of(scope)?.outdir ?? '', 'bundle-release-check');
  bundle('infra/release/check.ts', directory, { external: ['@aws-sdk/*'] });
  return Code.fromAsset(directory);
}

/** Suffixes of a stack's failure states, such as UPDATE_FAILED or UPDATE_ROLLBACK_COMPLETE. */
const failedStates = [{ suffix: 'FAILED' }, { suffix: 'ROLLBACK_COMPLETE' }];

/** Opens a ticket when a deployment of the stage fails or is rolled back. */
function reportFailures(scope: Construct, ticketTopic: ITopic, applicationName: string): void {
  // With a role, rules of other accounts cannot publish.
  const publish = new PolicyStatement({ actions: ['sns:Publish'], resources: [ticketTopic.topicArn] });
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('events.amazonaws.com'),
    inlinePolicies: { publish: new PolicyDocument({ statements: [publish] }) },
  }).withoutPolicyUpdates();
  const targets = [new SnsTopic(ticketTopic, { role })];
  // https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-codedeploy.html
  new Rule(scope, 'Deployment', {
    eventPattern: {
      source: ['aws.codedeploy'],
      detailType: ['CodeDeploy Deployment State-change Notification'],
      detail: { application: [applicationName], state: ['FAILURE', 'STOP'] },
    },
    targets,
  });
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/event-detail-stack-status-change.html
  new Rule(scope, 'Stack', {
    eventPattern: {
      source: ['aws.cloudformation'],
      detailType: ['CloudFormation Stack Status Change'],
      detail: { 'stack-id': [Stack.of(scope).stackId], 'status-details': { status: failedStates } },
    },
    targets,
  });
}

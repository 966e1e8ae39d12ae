import { Duration, Stack } from 'aws-cdk-lib';
import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { Rule } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { ManagedPolicy } from 'aws-cdk-lib/aws-iam';
import { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Indicators, Watched } from '../monitoring/indicators.ts';
import { codeOf } from '../service/bundle.ts';
import { addRole, LoggedFunction } from '../service/handler-function.ts';
import { rollbackAlarms } from './rollback-alarms.ts';

/** Shifts each function's alias to a checked new version, and rolls back if an alarm fires meanwhile. */
export function addReleases(
  scope: Construct,
  { stage, settings, functions }: Watched,
  indicators: Indicators,
  ticketTopic: ITopic | undefined,
): void {
  const application = new LambdaApplication(scope, 'Application');
  const { applicationName } = application;
  const { account, partition, region } = Stack.of(scope);
  // https://docs.aws.amazon.com/codedeploy/latest/userguide/tutorial-lambda-sam-create-lambda-before-traffic.html
  const check = new LoggedFunction(scope, 'Check', {
    settings,
    code: codeOf(scope, 'infra/release/check.ts'),
    timeout: Duration.seconds(30),
    environment: {
      STAGE: stage,
      ...Object.fromEntries(
        functions.map(({ node, function: target }) => [node.id, target.currentVersion.functionArn]),
      ),
    },
    permissions: [
      ...functions.map(({ function: target }) => ({
        actions: ['lambda:InvokeFunction'],
        resource: `${target.functionArn}:*`,
      })),
      {
        actions: ['codedeploy:PutLifecycleEventHookExecutionStatus'],
        resource: `arn:${partition}:codedeploy:${region}:${account}:deploymentgroup:${applicationName}/*`,
      },
    ],
  });
  const invokeCheck = { actions: ['lambda:InvokeFunction'], resource: check.function.functionArn };
  const role = addRole(
    scope,
    'codedeploy',
    [invokeCheck],
    [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited')],
  );
  const isFixForward = String(scope.node.tryGetContext('fixForward')) === 'true';
  // All alarms in each group, so that all deployments of a release stop together.
  const alarms = rollbackAlarms(new Construct(scope, 'Alarms'), indicators, functions);
  for (const handler of functions) {
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
    // `-c fixForward=true`: without this policy, which runs check and canary, CloudFormation itself points
    // an alias at its new version, whatever the alias shows.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
    const alias = handler.live.node.defaultChild;
    if (isFixForward && alias instanceof CfnAlias) delete alias.cfnOptions.updatePolicy;
  }
  if (ticketTopic) reportFailures(new Construct(scope, 'Failed'), ticketTopic, applicationName);
}

/** Opens a ticket when a deployment of the stage, or an update of its stack, fails or is rolled back. */
function reportFailures(scope: Construct, ticketTopic: ITopic, applicationName: string): void {
  // Without a role, the topic would let rules of other accounts publish.
  const role = addRole(scope, 'events', [{ actions: ['sns:Publish'], resource: ticketTopic.topicArn }]);
  // https://docs.aws.amazon.com/eventbridge/latest/ref/events-ref-codedeploy.html
  const deployment = { application: [applicationName], state: ['FAILURE', 'STOP'] };
  // UPDATE_FAILED or UPDATE_ROLLBACK_COMPLETE, for example.
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/event-detail-stack-status-change.html
  const status = [{ suffix: 'FAILED' }, { suffix: 'ROLLBACK_COMPLETE' }];
  const stack = { 'stack-id': [Stack.of(scope).stackId], 'status-details': { status } };

  new Rule(scope, 'Release', {
    eventPattern: {
      source: ['aws.codedeploy', 'aws.cloudformation'],
      // Not each resource's own failure, which has the fields of a stack's.
      detailType: ['CodeDeploy Deployment State-change Notification', 'CloudFormation Stack Status Change'],
      detail: { $or: [deployment, stack] },
    },
    targets: [new SnsTopic(ticketTopic, { role })],
  });
}

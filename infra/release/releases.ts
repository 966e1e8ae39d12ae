import { LambdaApplication, LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Indicators, Watched } from '../monitoring/indicators.ts';
import { codeOf } from '../service/bundle.ts';
import { LoggedFunction } from '../service/handler-function.ts';
import { runbookSection } from '../settings/alarm-settings.ts';
import { canary } from './canary.ts';
import { addFailureTicket } from './failure-ticket.ts';
import { rollbackAlarms } from './rollback-alarms.ts';

/** What is released, and who is told when that fails. */
interface Release {
  readonly commit: string;
  readonly ticketTopic: ITopic | undefined;
}

/** Shifts each function's alias to a checked new version, and rolls back if an alarm fires meanwhile. */
export function addReleases(
  scope: Construct,
  { stage, settings, functions }: Watched,
  indicators: Indicators,
  { commit, ticketTopic }: Release,
): void {
  const application = new LambdaApplication(scope, 'Application');
  // https://docs.aws.amazon.com/codedeploy/latest/userguide/tutorial-lambda-sam-create-lambda-before-traffic.html
  const check = new LoggedFunction(scope, 'Check', {
    settings,
    code: codeOf(scope, 'infra/release/release-check.ts'),
    timeout: Duration.seconds(30),
    variables: {
      STAGE: stage,
      ...Object.fromEntries(
        functions.map(({ node, function: target }) => [node.id, target.currentVersion.functionArn]),
      ),
    },
    // The deployment groups add what the check reports, and the right to invoke it.
    permissions: functions.map(({ function: target }) => ({
      actions: ['lambda:InvokeFunction'],
      resource: `${target.functionArn}:*`,
    })),
  });
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSCodeDeployRoleForLambdaLimited'),
    ],
  });
  if (ticketTopic) {
    const runbook = runbookSection(settings.alarms, 'a-release-goes-wrong');
    addFailureTicket(new Construct(scope, 'Failed'), ticketTopic, commit, runbook);
  }
  // All alarms in each group, so that all deployments of a release stop together.
  const alarms = rollbackAlarms(new Construct(scope, 'Alarms'), indicators, functions, settings.objectives);
  for (const handler of functions) {
    new LambdaDeploymentGroup(scope, handler.node.id, {
      application,
      role,
      alias: handler.live,
      preHook: check.function,
      alarms,
      deploymentConfig: settings.hasCanary ? canary.deploymentConfig : LambdaDeploymentConfig.ALL_AT_ONCE,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
    });
    // `-c fixForward=true`: without this policy, which runs check and canary, CloudFormation itself points
    // an alias at its new version, whatever the alias shows.
    // https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-attribute-updatepolicy.html
    const isFixForward = String(scope.node.tryGetContext('fixForward')) === 'true';
    const alias = handler.live.node.defaultChild;
    if (isFixForward && alias instanceof CfnAlias) delete alias.cfnOptions.updatePolicy;
  }
}

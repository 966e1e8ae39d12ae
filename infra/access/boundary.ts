import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { PermissionsBoundary } from 'aws-cdk-lib/core';
import { itemActions } from '../settings/limits-and-permissions.ts';
import { stackName } from '../stack-names.ts';
import { arn, boundaryName, deploymentGroupArns, functionArns, tableArns } from './names.ts';
import { allow } from './statements.ts';

/**
 * The policies of AWS that roles of a stage's stack may have: the boundary allows what they do, as far as it is used.
 * The CDK gives the last one to functions.
 */
export const awsPolicies = [
  'service-role/AmazonAPIGatewayPushToCloudWatchLogs',
  'service-role/AWSCodeDeployRoleForLambdaLimited',
  'service-role/AWSLambdaBasicExecutionRole',
];

/** The boundary without which CloudFormation may create no role of a stage. */
export const permissionsBoundary = (stage: string): PermissionsBoundary =>
  PermissionsBoundary.fromName(boundaryName(stage));

/**
 * Returns the most that the roles of a stage's stack may do. CloudFormation can create no role without this
 * boundary, so somebody who can deploy a stage still cannot become an administrator of the account.
 *
 * It is wider than what the roles need today, so that an operation can be added without an administrator.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html
 */
export const boundaryStatements = (stage: string): PolicyStatement[] =>
  allow({
    Items: {
      actions: [...itemActions],
      resources: [tableArns(stage)],
    },
    Functions: {
      actions: [
        'lambda:GetAlias',
        'lambda:GetProvisionedConcurrencyConfig',
        'lambda:InvokeFunction',
        'lambda:UpdateAlias',
      ],
      resources: [functionArns(stage)],
    },
    Releases: {
      actions: ['codedeploy:PutLifecycleEventHookExecutionStatus'],
      resources: [deploymentGroupArns(stage)],
    },
    Topics: {
      actions: ['sns:Publish'],
      resources: [arn('sns', `${stackName(stage)}-*`)],
    },
    // API Gateway has one role for the logs of all APIs of the account, and checks the role's permissions:
    // these are the ones of AWS's AmazonAPIGatewayPushToCloudWatchLogs.
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html
    LogsAndAlarms: {
      actions: [
        'cloudwatch:DescribeAlarms',
        'logs:CreateLogGroup',
        'logs:CreateLogStream',
        'logs:DescribeLogGroups',
        'logs:DescribeLogStreams',
        'logs:FilterLogEvents',
        'logs:GetLogEvents',
        'logs:PutLogEvents',
      ],
      resources: ['*'],
    },
  });

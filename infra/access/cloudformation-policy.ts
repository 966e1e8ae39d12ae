import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { stackName } from '../stack-names.ts';
import {
  accessStackName,
  apiGatewayArn,
  apiGatewayArnsForWaf,
  arn,
  bootstrapArns,
  boundaryName,
  deploymentGroupArns,
  functionArns,
  globalArn,
  tableArns,
} from './names.ts';
import { allow, deny } from './statements.ts';

/**
 * Returns what CloudFormation may do when it deploys a stage: change what the stage's stack contains. It can
 * create or change only roles with the stage's boundary, and nothing of the access stack.
 * https://docs.aws.amazon.com/cdk/v2/guide/customize-permissions-boundaries.html
 */
export function cloudFormationStatements(stage: string): PolicyStatement[] {
  const prefix = `${stackName(stage)}-*`;
  const roles = [globalArn('iam', `role/${prefix}`)];
  return [
    ...allow({
      ByName: {
        actions: [
          // Not those of budget actions, which can attach policies.
          'budgets:*Tag*',
          'budgets:ModifyBudget',
          'budgets:ViewBudget',
          'cloudwatch:*',
          'codedeploy:*',
          'dynamodb:*',
          'events:*',
          'lambda:*',
          'logs:*',
          'sns:*',
          'ssm:*Parameter*',
          'ssm:*Tags*',
        ],
        resources: [
          globalArn('budgets', `budget/${stackName(stage)}`),
          arn('cloudwatch', `alarm:${prefix}`),
          globalArn('cloudwatch', `dashboard/${stackName(stage)}`),
          arn('codedeploy', `application:${prefix}`),
          deploymentGroupArns(stage),
          tableArns(stage),
          arn('events', `rule/${prefix}`),
          functionArns(stage),
          arn('logs', `log-group:${prefix}`),
          arn('sns', prefix),
          arn('ssm', `parameter/${stackName(stage)}/*`),
        ],
      },
      WithGeneratedNames: {
        actions: ['apigateway:*', 'wafv2:*'],
        resources: [
          apiGatewayArn('/account'),
          apiGatewayArn('/domainnames*'),
          ...apiGatewayArnsForWaf('/restapis*'),
          apiGatewayArn('/tags/*'),
          arn('wafv2', 'regional/webacl/*'),
          // For rules that AWS manages.
          // https://docs.aws.amazon.com/service-authorization/latest/reference/list_awswafv2.html
          arn('wafv2', 'regional/managedruleset/*'),
        ],
      },
      WithoutResource: {
        actions: [
          'application-autoscaling:Describe*',
          'cloudwatch:DescribeAlarms',
          // https://docs.aws.amazon.com/AmazonCloudWatch/latest/APIReference/API_PutCompositeAlarm.html
          'cloudwatch:PutCompositeAlarm',
          'codedeploy:GetDeploymentConfig',
          // To cancel an update. https://docs.aws.amazon.com/service-authorization/latest/reference/list_awscodedeploy.html
          'codedeploy:StopDeployment',
          'logs:DeleteQueryDefinition',
          'logs:Describe*',
          'logs:PutQueryDefinition',
          'sns:GetSubscriptionAttributes',
          'sns:SetSubscriptionAttributes',
          'sns:Unsubscribe',
          'ssm:DescribeParameters',
        ],
        resources: ['*'],
      },
      Bootstrap: {
        actions: ['s3:GetObject', 'ssm:GetParameters'],
        resources: bootstrapArns,
      },
      FirstUse: {
        actions: ['iam:CreateServiceLinkedRole'],
        resources: [
          globalArn('iam', 'role/aws-service-role/ops.apigateway.amazonaws.com/*'),
          globalArn('iam', 'role/aws-service-role/replication.dynamodb.amazonaws.com/*'),
        ],
      },
      // https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_boundaries.html#access_policies_boundaries-delegate
      RolesWithBoundary: {
        actions: [
          'iam:AttachRolePolicy',
          'iam:CreateRole',
          'iam:DeleteRolePolicy',
          'iam:DetachRolePolicy',
          'iam:PutRolePermissionsBoundary',
          'iam:PutRolePolicy',
          'iam:UpdateAssumeRolePolicy',
          'iam:UpdateRole',
          'iam:UpdateRoleDescription',
        ],
        resources: roles,
        conditions: {
          ArnEquals: { 'iam:PermissionsBoundary': globalArn('iam', `policy/${boundaryName(stage)}`) },
        },
      },
      Roles: {
        actions: ['iam:DeleteRole', 'iam:GetRole*', 'iam:List*Role*', 'iam:TagRole', 'iam:UntagRole'],
        resources: roles,
      },
      // https://docs.aws.amazon.com/IAM/latest/UserGuide/id_roles_use_passrole.html
      RolesForServices: {
        actions: ['iam:PassRole'],
        resources: roles,
        conditions: {
          StringEquals: {
            'iam:PassedToService': ['apigateway', 'codedeploy', 'events', 'lambda'].map(
              (service) => `${service}.amazonaws.com`,
            ),
          },
        },
      },
    }),
    ...deny({
      NoAccess: {
        actions: ['iam:*'],
        resources: [
          globalArn('iam', `policy/${accessStackName(stage)}-*`),
          globalArn('iam', `role/${accessStackName(stage)}-*`),
        ],
      },
      NoUnboundedRole: {
        actions: ['iam:DeleteRolePermissionsBoundary'],
        resources: ['*'],
      },
    }),
  ];
}

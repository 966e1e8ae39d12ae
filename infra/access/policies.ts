import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { commitParameter, stackName, tagsOf } from '../stack-names.ts';
import {
  apiGatewayArn,
  apiGatewayArnsForWaf,
  apiStage,
  arn,
  bootstrapArns,
  bootstrapRoleArn,
  copyArns,
  deploymentGroupArns,
  functionArns,
  keyTableArns,
  type PersonRole,
  stackArns,
  tableArns,
} from './names.ts';
import { allow, deny } from './statements.ts';

/** Returns the statements that let somebody change a stage's own stack, and no other, with the CDK. */
export const deploy = (stage: string): PolicyStatement[] =>
  allow({
    DeployedTemplate: {
      actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
      resources: stackArns(stage),
    },
    Stack: {
      actions: [
        'cloudformation:ContinueUpdateRollback',
        'cloudformation:CreateChangeSet',
        'cloudformation:DeleteChangeSet',
        'cloudformation:DeleteStack',
        'cloudformation:DescribeChangeSet',
        'cloudformation:DescribeEvents',
        'cloudformation:DescribeStackEvents',
        'cloudformation:DescribeStackResources',
        'cloudformation:ExecuteChangeSet',
        'cloudformation:RollbackStack',
        // The CDK calls it before the first change set of a stage that is protected.
        'cloudformation:UpdateTerminationProtection',
      ],
      resources: [arn('cloudformation', `stack/${stackName(stage)}/*`)],
    },
    PassToCloudFormation: {
      actions: ['iam:PassRole'],
      resources: [bootstrapRoleArn('cfn-exec')],
      conditions: { StringEquals: { 'iam:PassedToService': 'cloudformation.amazonaws.com' } },
    },
    Publish: { actions: ['sts:AssumeRole'], resources: [bootstrapRoleArn('file-publishing')] },
    // CloudFormation reads the template, and the bootstrap's version, as the caller.
    Bootstrap: {
      actions: ['s3:GetObject', 'ssm:GetParameter', 'ssm:GetParameters'],
      resources: bootstrapArns,
    },
  });

const keys = (stage: string): PolicyStatement[] =>
  allow({
    Stack: { actions: ['cloudformation:DescribeStacks'], resources: stackArns(stage) },
    Keys: {
      actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Scan', 'dynamodb:UpdateItem'],
      resources: [keyTableArns(stage)],
    },
  });

const onCall = (stage: string): PolicyStatement[] => [
  ...allow({
    ChangeReleases: {
      actions: [
        'cloudformation:CancelUpdateStack',
        'cloudformation:ContinueUpdateRollback',
        'lambda:UpdateAlias',
      ],
      resources: [arn('cloudformation', `stack/${stackName(stage)}/*`), functionArns(stage)],
    },
    // This action has no resource.
    StopDeployment: { actions: ['codedeploy:StopDeployment'], resources: ['*'] },
    LeakedKey: {
      actions: ['apigateway:DELETE'],
      resources: [apiGatewayArn(`${apiStage}/cache/authorizers`)],
      conditions: ofStage(stage),
    },
    TestPage: {
      actions: ['cloudwatch:SetAlarmState'],
      resources: [arn('cloudwatch', `alarm:${stackName(stage)}-*`)],
    },
    WebAcl: {
      actions: ['wafv2:AssociateWebACL', 'wafv2:DisassociateWebACL'],
      resources: [...apiGatewayArnsForWaf(apiStage), arn('wafv2', 'regional/webacl/*')],
    },
    WebAclOfApi: {
      actions: ['apigateway:SetWebACL'],
      resources: [apiGatewayArn(apiStage)],
      conditions: ofStage(stage),
    },
    ChangesByHand: { actions: ['cloudtrail:LookupEvents'], resources: ['*'] },
    // What ReadOnlyAccess allows too, as long as AWS does not change it.
    Causes: {
      actions: ['lambda:GetFunctionConcurrency', 'sns:ListSubscriptionsByTopic'],
      resources: [functionArns(stage), arn('sns', `${stackName(stage)}-*`)],
    },
    Items: {
      actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
      resources: [tableArns(stage)],
    },
  }),
  ...deny({
    NoKeys: {
      actions: ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
      resources: [keyTableArns(stage), copyArns(stage, 'apiKeys')],
    },
  }),
];

const restore = (stage: string): PolicyStatement[] =>
  allow({
    Restore: {
      actions: [
        'dynamodb:DescribeContinuousBackups',
        'dynamodb:ListTagsOfResource',
        'dynamodb:RestoreTableFromBackup',
        'dynamodb:RestoreTableToPointInTime',
        'dynamodb:TagResource',
        'dynamodb:UpdateContinuousBackups',
        'dynamodb:UpdateTimeToLive',
      ],
      resources: [tableArns(stage)],
    },
    // For items that are put back, and because DynamoDB writes restored items with the caller's permissions.
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/backuprestore_IAM.html
    Items: {
      actions: [
        'dynamodb:BatchGetItem',
        'dynamodb:BatchWriteItem',
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'dynamodb:Scan',
        'dynamodb:UpdateItem',
      ],
      resources: [tableArns(stage)],
    },
    Copies: { actions: ['dynamodb:DeleteTable'], resources: [copyArns(stage)] },
    Backups: { actions: ['dynamodb:ListBackups'], resources: ['*'] },
    StopCreates: {
      actions: ['apigateway:PATCH'],
      resources: [apiGatewayArn(apiStage)],
      conditions: ofStage(stage),
    },
  });

/** Returns the statements of people who watch a stage. */
const observe = (stage: string): PolicyStatement[] =>
  allow({
    Stack: {
      actions: [
        'cloudformation:DescribeEvents',
        'cloudformation:DescribeStackEvents',
        'cloudformation:DescribeStackResourceDrifts',
        'cloudformation:DescribeStacks',
        'cloudformation:DetectStackDrift',
        'cloudformation:DetectStackResourceDrift',
        'cloudformation:GetTemplate',
        'cloudformation:ListStackResources',
      ],
      resources: stackArns(stage),
    },
    Releases: {
      actions: [
        'codedeploy:ListDeployments',
        'lambda:GetAlias',
        'lambda:GetFunctionConfiguration',
        'ssm:GetParameterHistory',
      ],
      resources: [deploymentGroupArns(stage), functionArns(stage), commitArn(stage)],
    },
    Api: { actions: ['apigateway:GET'], resources: [apiGatewayArn('/account'), apiGatewayArn(apiStage)] },
    Tables: {
      actions: ['dynamodb:DescribeTable', 'dynamodb:DescribeTimeToLive'],
      resources: [tableArns(stage)],
    },
    DashboardAndLogs: {
      actions: [
        'ce:GetCostAndUsage',
        'cloudformation:DescribeStackDriftDetectionStatus',
        'cloudwatch:DescribeAlarmHistory',
        'cloudwatch:DescribeAlarms',
        'cloudwatch:GetDashboard',
        'cloudwatch:GetMetricData',
        'dynamodb:ListTables',
        'lambda:GetAccountSettings',
        'logs:DescribeLogGroups',
        'logs:DescribeQueryDefinitions',
        'logs:GetQueryResults',
        'logs:StartQuery',
      ],
      resources: ['*'],
    },
    Certificate: { actions: ['acm:DescribeCertificate'], resources: [arn('acm', 'certificate/*')] },
  });

/**
 * Keeps AWS's ReadOnlyAccess, which drift checks need, from reading the account's tables, and from showing
 * secrets: the URL of a pager, which a parameter of the stage and SNS have, and whatever else the account keeps
 * in parameters and buckets. Only a drift check, for which CloudFormation calls SNS and Systems Manager with
 * the caller's permissions, may read a subscription.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-viaawsservice
 */
const denyReadingData = (stage: string): PolicyStatement[] => {
  const unlessForDriftCheck = { Bool: { 'aws:ViaAWSService': 'false' } };
  return deny({
    NoTableData: {
      // Not GetItem, which each role denies by itself: the pipeline looks up its own key.
      actions: [
        'dynamodb:BatchGetItem',
        'dynamodb:GetRecords',
        'dynamodb:PartiQLSelect',
        'dynamodb:Query',
        'dynamodb:Scan',
      ],
      resources: ['*'],
    },
    NoParameters: {
      actions: ['ssm:GetParameter*'],
      notResources: [commitArn(stage)],
      conditions: unlessForDriftCheck,
    },
    NoSubscribers: {
      actions: ['sns:GetSubscriptionAttributes'],
      resources: ['*'],
      conditions: unlessForDriftCheck,
    },
    NoListsOrObjects: { actions: ['s3:GetObject*', 'sns:ListSubscriptions*'], resources: ['*'] },
  });
};

const reader = (stage: string): PolicyStatement[] => [
  ...observe(stage),
  ...denyReadingData(stage),
  ...deny({ NoItems: { actions: ['dynamodb:GetItem'], resources: ['*'] } }),
];

/**
 * Returns the statements of the pipeline's jobs that do not deploy: they compare templates, look for drift,
 * and look up the one key that they hold. They read no pets, list no keys and see no logs or secrets.
 */
export const pipelineRead = (stage: string): PolicyStatement[] => [
  ...allow({ OwnKey: { actions: ['dynamodb:GetItem'], resources: [keyTableArns(stage)] } }),
  ...denyReadingData(stage),
  ...deny({
    NoOtherItems: { actions: ['dynamodb:GetItem'], notResources: [keyTableArns(stage)] },
    NoLogs: {
      // Not logs:Get*: a drift check reads how a log group protects data.
      actions: ['logs:FilterLogEvents', 'logs:GetLog*', 'logs:GetQueryResults', 'logs:Start*'],
      resources: ['*'],
    },
  }),
];

/** The policies of people's roles. */
export const personPolicies: Readonly<Record<PersonRole, (stage: string) => PolicyStatement[]>> = {
  deploy,
  keys,
  // On call, people may read data: docs/access.md
  'on-call': (stage) => [...onCall(stage), ...observe(stage)],
  reader,
  restore: (stage) => [...restore(stage), ...observe(stage)],
};

const commitArn = (stage: string) => arn('ssm', `parameter${commitParameter(stage)}`);

/** Only the API with a stage's tags. */
function ofStage(stage: string) {
  const tags = Object.entries(tagsOf(stage)).map(([name, value]) => [`aws:ResourceTag/${name}`, value]);
  return { StringEquals: Object.fromEntries(tags) };
}

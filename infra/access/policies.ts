import { Effect, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { stackName, tagsOf } from '../stack-names.ts';
import {
  apiGatewayArn,
  apiStage,
  arn,
  deploymentGroupArns,
  functionArns,
  globalArn,
  keyTableArns,
  type PersonRole,
  restoredTableArns,
  stackArns,
  tableArns,
} from './names.ts';

/** Returns the statements that let somebody deploy a stage, by assuming the roles of the CDK's bootstrap. */
export const deploy = (stage: string): PolicyStatement[] => [
  new PolicyStatement({
    sid: 'Bootstrap',
    actions: ['sts:AssumeRole'],
    // Not its role for look-ups, which can read every table: this app looks nothing up.
    resources: ['deploy', 'file-publishing'].map((role) =>
      globalArn('iam', `role/cdk-hnb659fds-${role}-role-\${AWS::AccountId}-\${AWS::Region}`),
    ),
  }),
  new PolicyStatement({
    sid: 'DeployedTemplate',
    actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
    resources: stackArns(stage),
  }),
];

const keys = (stage: string): PolicyStatement[] => [
  new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: stackArns(stage) }),
  new PolicyStatement({
    actions: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Scan', 'dynamodb:UpdateItem'],
    resources: keyTableArns(stage),
  }),
];

const onCall = (stage: string): PolicyStatement[] => [
  new PolicyStatement({
    sid: 'ChangeReleases',
    actions: [
      'cloudformation:CancelUpdateStack',
      'cloudformation:ContinueUpdateRollback',
      'lambda:UpdateAlias',
    ],
    resources: [arn('cloudformation', `stack/${stackName(stage)}/*`), functionArns(stage)],
  }),
  // This action has no resource.
  new PolicyStatement({ sid: 'StopDeployment', actions: ['codedeploy:StopDeployment'], resources: ['*'] }),
  new PolicyStatement({
    sid: 'LeakedKey',
    actions: ['apigateway:DELETE'],
    resources: [apiGatewayArn(`${apiStage}/cache/authorizers`)],
    conditions: ofStage(stage),
  }),
  new PolicyStatement({
    sid: 'TestPage',
    actions: ['cloudwatch:SetAlarmState'],
    resources: [arn('cloudwatch', `alarm:${stackName(stage)}-*`)],
  }),
  new PolicyStatement({
    sid: 'WebAcl',
    actions: ['wafv2:AssociateWebACL', 'wafv2:DisassociateWebACL'],
    // In AWS WAF's permissions, the ARN of an API's stage may have an account.
    resources: [apiGatewayArn(apiStage), arn('apigateway', apiStage), arn('wafv2', 'regional/webacl/*')],
  }),
  new PolicyStatement({
    sid: 'WebAclOfApi',
    actions: ['apigateway:SetWebACL'],
    resources: [apiGatewayArn(apiStage)],
    conditions: ofStage(stage),
  }),
  new PolicyStatement({ sid: 'ChangesByHand', actions: ['cloudtrail:LookupEvents'], resources: ['*'] }),
  // What ReadOnlyAccess allows too, as long as AWS does not change it.
  new PolicyStatement({
    sid: 'Causes',
    actions: ['lambda:GetFunctionConcurrency', 'sns:ListSubscriptionsByTopic'],
    resources: [functionArns(stage), arn('sns', `${stackName(stage)}-*`)],
  }),
  new PolicyStatement({
    sid: 'Items',
    actions: ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem'],
    resources: [tableArns(stage)],
  }),
  new PolicyStatement({
    sid: 'NoKeys',
    effect: Effect.DENY,
    actions: ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
    resources: keyTableArns(stage),
  }),
];

const restore = (stage: string): PolicyStatement[] => [
  new PolicyStatement({
    sid: 'Source',
    actions: [
      'dynamodb:DescribeContinuousBackups',
      'dynamodb:DescribeTimeToLive',
      'dynamodb:ListTagsOfResource',
      'dynamodb:RestoreTableFromBackup',
      'dynamodb:RestoreTableToPointInTime',
    ],
    resources: [tableArns(stage)],
  }),
  // DynamoDB writes the restored items with the caller's permissions.
  // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/backuprestore_IAM.html
  new PolicyStatement({
    sid: 'Target',
    actions: [
      'dynamodb:BatchWriteItem',
      'dynamodb:DeleteItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:Scan',
      'dynamodb:TagResource',
      'dynamodb:UpdateContinuousBackups',
      'dynamodb:UpdateItem',
      'dynamodb:UpdateTimeToLive',
    ],
    resources: [restoredTableArns(stage)],
  }),
  new PolicyStatement({ sid: 'Backups', actions: ['dynamodb:ListBackups'], resources: ['*'] }),
  new PolicyStatement({
    sid: 'StopCreates',
    actions: ['apigateway:PATCH'],
    resources: [apiGatewayArn(apiStage)],
    conditions: ofStage(stage),
  }),
];

/** Returns the statements of people who watch a stage. */
const read = (stage: string): PolicyStatement[] => [
  new PolicyStatement({
    sid: 'Stack',
    actions: [
      'cloudformation:DescribeStackEvents',
      'cloudformation:DescribeStackResourceDrifts',
      'cloudformation:DescribeStacks',
      'cloudformation:DetectStackDrift',
      'cloudformation:DetectStackResourceDrift',
      'cloudformation:GetTemplate',
      'cloudformation:ListStackResources',
    ],
    resources: stackArns(stage),
  }),
  new PolicyStatement({
    sid: 'Releases',
    actions: [
      'codedeploy:ListDeployments',
      'lambda:GetAlias',
      'lambda:ListVersionsByFunction',
      'ssm:GetParameterHistory',
    ],
    resources: [deploymentGroupArns(stage), functionArns(stage), commitArn(stage)],
  }),
  new PolicyStatement({
    sid: 'Api',
    actions: ['apigateway:GET'],
    resources: [apiGatewayArn('/account'), apiGatewayArn(apiStage)],
  }),
  new PolicyStatement({ sid: 'Tables', actions: ['dynamodb:DescribeTable'], resources: [tableArns(stage)] }),
  new PolicyStatement({
    sid: 'DashboardAndLogs',
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
  }),
  new PolicyStatement({
    sid: 'Certificate',
    actions: ['acm:DescribeCertificate'],
    resources: [arn('acm', 'certificate/*')],
  }),
];

/** Keeps AWS's ReadOnlyAccess, which drift checks need, from reading the data of the account's tables. */
const noTableData = (): PolicyStatement =>
  new PolicyStatement({
    sid: 'NoTableData',
    effect: Effect.DENY,
    actions: [
      'dynamodb:BatchGetItem',
      'dynamodb:GetRecords',
      'dynamodb:PartiQLSelect',
      'dynamodb:Query',
      'dynamodb:Scan',
    ],
    resources: ['*'],
  });

/**
 * Keeps AWS's ReadOnlyAccess from showing secrets: the URL of a pager, which a parameter of the stage and SNS
 * have, and whatever else the account keeps in parameters and buckets. Only a drift check, for which
 * CloudFormation calls SNS and Systems Manager with the caller's permissions, may read a subscription.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html#condition-keys-viaawsservice
 */
const noSecrets = (stage: string): PolicyStatement[] => {
  const unlessForDriftCheck = { Bool: { 'aws:ViaAWSService': 'false' } };
  return [
    new PolicyStatement({
      sid: 'NoParameters',
      effect: Effect.DENY,
      actions: ['ssm:GetParameter*'],
      notResources: [commitArn(stage)],
      conditions: unlessForDriftCheck,
    }),
    new PolicyStatement({
      sid: 'NoSubscribers',
      effect: Effect.DENY,
      actions: ['sns:GetSubscriptionAttributes'],
      resources: ['*'],
      conditions: unlessForDriftCheck,
    }),
    new PolicyStatement({
      sid: 'NoListsOrObjects',
      effect: Effect.DENY,
      actions: ['s3:GetObject*', 'sns:ListSubscriptions*'],
      resources: ['*'],
    }),
  ];
};

const reader = (stage: string): PolicyStatement[] => [
  ...read(stage),
  noTableData(),
  new PolicyStatement({
    sid: 'NoItems',
    effect: Effect.DENY,
    actions: ['dynamodb:GetItem'],
    resources: ['*'],
  }),
  ...noSecrets(stage),
];

/**
 * Returns the statements of the pipeline's jobs that do not deploy: they compare templates, look for drift,
 * and look up the one key that they hold. They read no pets, list no keys and see no logs or secrets.
 */
export const pipelineRead = (stage: string): PolicyStatement[] => [
  new PolicyStatement({
    sid: 'OwnKey',
    actions: ['dynamodb:GetItem'],
    resources: keyTableArns(stage),
  }),
  noTableData(),
  new PolicyStatement({
    sid: 'NoOtherItems',
    effect: Effect.DENY,
    actions: ['dynamodb:GetItem'],
    notResources: keyTableArns(stage),
  }),
  ...noSecrets(stage),
  new PolicyStatement({
    sid: 'NoLogs',
    effect: Effect.DENY,
    actions: [
      'logs:FilterLogEvents',
      'logs:GetLogEvents',
      'logs:GetLogObject',
      'logs:GetLogRecord',
      'logs:GetQueryResults',
      'logs:StartLiveTail',
      'logs:StartQuery',
    ],
    resources: ['*'],
  }),
];

/** The policies of people's roles. */
export const personPolicies: Readonly<Record<PersonRole, (stage: string) => PolicyStatement[]>> = {
  deploy,
  keys,
  'on-call': (stage) => [...onCall(stage), ...read(stage)],
  reader,
  restore: (stage) => [...restore(stage), ...read(stage)],
};

const commitArn = (stage: string) => arn('ssm', `parameter/${stackName(stage)}/commit`);

/** Only the API with a stage's tags. */
function ofStage(stage: string) {
  const tags = Object.entries(tagsOf(stage)).map(([name, value]) => [`aws:ResourceTag/${name}`, value]);
  return { StringEquals: Object.fromEntries(tags) };
}

import { AttributeType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Vpc } from 'aws-cdk-lib/aws-ec2';
import * as iam from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import * as lambda from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { App, Stack, type StackProps } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { arn } from '../../../infra/access/names.ts';
import { validateBoundary } from '../../../infra/access/validate-boundary.ts';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { HandlerFunction } from '../../../infra/service/handler-function.ts';
import { capitalize } from '../../../infra/stack-names.ts';
import { list } from '../../support/contract/own-operations.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { leastSettings } from '../../support/infra/stage-settings.ts';

const prefix = 'PetStore-staging-';
const boundary = [
  new iam.PolicyStatement({ actions: ['sns:Publish'], resources: [arn('sns', `${prefix}*`)] }),
  new iam.PolicyStatement({
    actions: ['dynamodb:GetItem', 'dynamodb:Query'],
    resources: [arn('dynamodb', `table/${prefix}*`)],
  }),
  new iam.PolicyStatement({
    actions: ['cloudwatch:DescribeAlarms'],
    resources: ['*'],
  }),
  new iam.PolicyStatement({ actions: ['ssm:GetParameter'], resources: [arn('ssm', `parameter/${prefix}?`)] }),
];

/** Returns a stack with a boundary, and what its synthesis complains about. */
function checkedStack(props: StackProps = {}) {
  const app = new App({
    outdir: temporaryDirectory(),
    analyticsReporting: false,
    builtinCloudFormationValidation: false,
  });
  const stack = new Stack(app, 'PetStore-staging', props);
  validateBoundary(stack, boundary);
  return { stack, problems: () => problemsOf(app) };
}

function problemsOf(app: App): readonly string[] {
  try {
    app.synth();
  } catch (error) {
    return `${error}`.split('\n').slice(1);
  }
  return [];
}

/** Declares a function with a role of its own, as a handler has it. */
function declare(scope: Construct, props: Partial<lambda.FunctionProps> = {}) {
  const role = new iam.Role(scope, 'Role', { assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com') });
  return new lambda.Function(scope, 'Function', { ...runnable, role, ...props });
}

const runnable = {
  runtime: lambda.Runtime.NODEJS_LATEST,
  handler: 'index.handler',
  code: lambda.Code.fromInline('//'),
};
const statement = (action: string, resource: string) =>
  new iam.PolicyStatement({ actions: [action], resources: [resource] });

it.each([
  ['any account', {}],
  ['the account of a target', { env: { account: '111111111111', region: 'eu-central-1' } }],
])('what the boundary has can be granted, in %s', (_title, props) => {
  const { stack, problems } = checkedStack(props);
  const target = declare(stack);

  new Topic(stack, 'Topic').grantPublish(target);
  TableV2.fromTableName(stack, 'Table', `${prefix}Pets`).grant(target, 'dynamodb:GetItem');
  target.addToRolePolicy(statement('cloudwatch:describealarms', '*'));
  target.addToRolePolicy(
    statement('ssm:GetParameter', stack.formatArn({ service: 'ssm', resource: `parameter/${prefix}1` })),
  );
  target.addToRolePolicy(
    statement('dynamodb:Query', `${new TableV2(stack, 'Own', { partitionKey }).tableArn}/index/*`),
  );
  // It has the role of the CDK.
  new lambda.Function(stack, 'Plain', runnable);

  expect(problems()).toEqual([]);
});

const vpc = { vpcId: 'vpc-1', availabilityZones: ['a'], privateSubnetIds: ['subnet-1'] };
const streamed = {
  tableName: 'Others',
  tableStreamArn: 'arn:aws:dynamodb:us-east-1:123456789012:table/Others/stream/1',
};
const startingPosition = lambda.StartingPosition.LATEST;
const partitionKey = { name: 'id', type: AttributeType.NUMBER };
const foreignTopic = 'arn:aws:sns:us-east-1:222222222222:PetStore-staging-Sold';
const allBut = { notActions: ['iam:*'], resources: ['*'] };
const anywhereBut = { actions: ['sns:Publish'], notResources: ['*'] };

/** Who needs which permission, and what needs it. */
const denied: Readonly<Record<string, (scope: Construct) => void>> = {
  'ToQueue/Role may not sqs:SendMessage': (scope) => {
    new Queue(scope, 'Queue').grantSendMessages(declare(scope));
  },
  'ToBucket/Role may not s3:GetObject*': (scope) => {
    new Bucket(scope, 'Bucket').grantRead(declare(scope));
  },
  'ToKey/Role may not kms:Decrypt': (scope) => {
    new Key(scope, 'Key').grantDecrypt(declare(scope));
  },
  'ToSecret/Role may not secretsmanager:GetSecretValue': (scope) => {
    new Secret(scope, 'Secret').grantRead(declare(scope));
  },
  'ToTable/Role may not dynamodb:DescribeTable': (scope) => {
    new TableV2(scope, 'Table', { partitionKey }).grantReadData(declare(scope));
  },
  'ToForeignTable/Role may not dynamodb:GetItem': (scope) => {
    TableV2.fromTableName(scope, 'Table', 'Others').grant(declare(scope), 'dynamodb:GetItem');
  },
  'ToForeignTopic/Role may not sns:Publish': (scope) => {
    declare(scope).addToRolePolicy(statement('sns:Publish', foreignTopic));
  },
  'ToAnyTable/Role may not dynamodb:*': (scope) => {
    declare(scope).addToRolePolicy(statement('dynamodb:*', '*'));
  },
  'ToAllBut/Role may not *': (scope) => {
    declare(scope).addToRolePolicy(new iam.PolicyStatement(allBut));
  },
  'AnywhereBut/Role may not sns:Publish': (scope) => {
    declare(scope).addToRolePolicy(new iam.PolicyStatement(anywhereBut));
  },
  'ToAnyParameter/Role may not ssm:GetParameter': (scope) => {
    const wider = arn('ssm', `parameter/${prefix}*`);
    declare(scope).addToRolePolicy(statement('ssm:GetParameter', wider));
  },
  'FromQueue/Role may not sqs:ReceiveMessage': (scope) => {
    declare(scope).addEventSource(new SqsEventSource(new Queue(scope, 'Queue')));
  },
  'FromTable/Role may not dynamodb:ListStreams': (scope) => {
    const table = Table.fromTableAttributes(scope, 'Table', streamed);
    declare(scope).addEventSource(new DynamoEventSource(table, { startingPosition }));
  },
  'Traced/Role may not xray:PutTelemetryRecords': (scope) => {
    declare(scope, { tracing: lambda.Tracing.ACTIVE });
  },
  'WithDeadLetters/Role may not sqs:SendMessage': (scope) => {
    declare(scope, { deadLetterQueueEnabled: true });
  },
  'InVpc/Function may not ec2:CreateNetworkInterface': (scope) => {
    declare(scope, { vpc: Vpc.fromVpcAttributes(scope, 'Vpc', vpc) });
  },
  'OfAws/Role has the managed policy arn:${AWS::Partition}:iam::aws:policy/AmazonS3ReadOnlyAccess': (
    scope,
  ) => {
    declare(scope).role?.addManagedPolicy(
      iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonS3ReadOnlyAccess'),
    );
  },
  'OfStack/Role has the managed policy ${OfStackPolicy': (scope) => {
    const statements = [statement('cloudwatch:DescribeAlarms', '*')];
    declare(scope).role?.addManagedPolicy(new iam.ManagedPolicy(scope, 'Policy', { statements }));
  },
};

describe('the synthesis fails for what the boundary would deny', () => {
  const { stack, problems } = checkedStack();
  for (const [says, add] of Object.entries(denied)) add(new Construct(stack, says.replace(/\/.*/, '')));
  const lines = problems();

  it.each(Object.keys(denied))('%s', (says) => {
    const [actor, what = ''] = says.split(/ may not | has the managed policy /);

    expect(lines.find((line) => line.includes(` ${actor} `))).toContain(what);
  });
});

it('a stage says where a permission of a handler belongs that its boundary lacks', () => {
  const app = petStoreApp(
    { staging: leastSettings },
    { outdir: temporaryDirectory(), builtinCloudFormationValidation: false },
  );
  const id = capitalize(list.operationId);
  const handler = app.node.findChild('PetStore-staging').node.findChild(id);
  if (handler instanceof HandlerFunction) handler.function.addToRolePolicy(statement('planted:Action', '*'));

  expect(problemsOf(app)).toEqual([
    `  [PetStore-staging] ${id}/Role may not planted:Action: its permissions boundary would deny it. Allow it in ` +
      'infra/access/boundary.ts too, and have an administrator deploy the access stack first: docs/access.md. What an ' +
      'operation does with tables belongs in infra/settings/limits-and-permissions.ts.',
  ]);
});

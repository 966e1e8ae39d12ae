import { Stack } from 'aws-cdk-lib';
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
import { Construct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import { HandlerFunction } from '../../../infra/service/handler-function.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { capitalize } from '../../../infra/stack-names.ts';
import { list } from '../../support/contract/own-operations.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { rolesOf } from '../../support/infra/iam.ts';
import { everySetting, leastSettings } from '../../support/infra/stage-settings.ts';

const id = capitalize(list.operationId);

/** Returns a place in a stage's stack, one of its functions, and what synthesizes it. */
function stage(settings: StageSettings = leastSettings) {
  const app = petStoreApp(
    { staging: settings },
    { outdir: temporaryDirectory(), release: { commit: '0a1b' }, builtinCloudFormationValidation: false },
  );
  const stack = app.node.findChild('PetStore-staging');
  const handler = stack.node.findChild(id);
  if (!(stack instanceof Stack && handler instanceof HandlerFunction)) throw new Error('It is elsewhere.');
  return {
    /** For what is added. */
    scope: new Construct(stack, 'Planted'),
    handler: handler.function,
    /** Synthesizes the stage, and returns the actions of the function's role. */
    actions: () => {
      const { template } = app.synth().getStackByName('PetStore-staging');
      const roles = [...rolesOf('PetStore-staging', template)];
      const [, role] = roles.find(([name]) => name.startsWith(`${id}Role`)) ?? [];
      return role?.statements.flatMap(({ Action }) => Action);
    },
  };
}

const runnable = {
  runtime: lambda.Runtime.NODEJS_LATEST,
  handler: 'index.handler',
  code: lambda.Code.fromInline('//'),
};
const statement = (action: string, resource: string) =>
  new iam.PolicyStatement({ actions: [action], resources: [resource] });

describe('a function may get', () => {
  it('what the boundary has: on a resource of the stack, on a named one, or anywhere', () => {
    const { scope, handler, actions } = stage();
    new Topic(scope, 'Topic').grantPublish(handler);
    TableV2.fromTableName(scope, 'Table', 'PetStore-staging-restored-others-1').grant(
      handler,
      'dynamodb:BatchGetItem',
    );
    handler.addToRolePolicy(statement('cloudwatch:DescribeAlarms', '*'));
    // With the role that the CDK gives it.
    new lambda.Function(scope, 'Function', runnable);

    expect(actions()).toEqual(
      expect.arrayContaining(['sns:Publish', 'dynamodb:BatchGetItem', 'cloudwatch:DescribeAlarms']),
    );
  });

  it('what the boundary has in the account of its target', () => {
    const { scope, handler, actions } = stage({ ...leastSettings, target: everySetting.target });
    TableV2.fromTableName(scope, 'Table', 'PetStore-staging-restored-others-1').grant(
      handler,
      'dynamodb:BatchGetItem',
    );

    expect(actions()).toContain('dynamodb:BatchGetItem');
  });
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

/** Declares a function with a role of its own, as a handler has it. */
type Declare = (props?: Partial<lambda.FunctionProps>) => lambda.Function;

/** Who needs which permission, and what needs it. */
const denied: Readonly<Record<string, (scope: Construct, declare: Declare) => void>> = {
  'ToQueue/Role may not sqs:SendMessage': (scope, declare) => {
    new Queue(scope, 'Queue').grantSendMessages(declare());
  },
  'ToBucket/Role may not s3:GetObject*': (scope, declare) => {
    new Bucket(scope, 'Bucket').grantRead(declare());
  },
  'ToKey/Role may not kms:Decrypt': (scope, declare) => {
    new Key(scope, 'Key').grantDecrypt(declare());
  },
  'ToSecret/Role may not secretsmanager:GetSecretValue': (scope, declare) => {
    new Secret(scope, 'Secret').grantRead(declare());
  },
  'ToTable/Role may not dynamodb:DescribeTable': (scope, declare) => {
    new TableV2(scope, 'Table', { partitionKey }).grantReadData(declare());
  },
  'ToForeignTable/Role may not dynamodb:GetItem': (scope, declare) => {
    TableV2.fromTableName(scope, 'Table', 'Others').grant(declare(), 'dynamodb:GetItem');
  },
  'ToForeignTopic/Role may not sns:Publish': (_scope, declare) => {
    declare().addToRolePolicy(statement('sns:Publish', foreignTopic));
  },
  'ToAnyTable/Role may not dynamodb:*': (_scope, declare) => {
    declare().addToRolePolicy(statement('dynamodb:*', '*'));
  },
  'ToAllBut/Role may not *': (_scope, declare) => {
    declare().addToRolePolicy(new iam.PolicyStatement(allBut));
  },
  'AnywhereBut/Role may not sns:Publish': (_scope, declare) => {
    declare().addToRolePolicy(new iam.PolicyStatement(anywhereBut));
  },
  'FromQueue/Role may not sqs:ReceiveMessage': (scope, declare) => {
    declare().addEventSource(new SqsEventSource(new Queue(scope, 'Queue')));
  },
  'FromTable/Role may not dynamodb:ListStreams': (scope, declare) => {
    const table = Table.fromTableAttributes(scope, 'Table', streamed);
    declare().addEventSource(new DynamoEventSource(table, { startingPosition }));
  },
  'Traced/Role may not xray:PutTelemetryRecords': (_scope, declare) => {
    declare({ tracing: lambda.Tracing.ACTIVE });
  },
  'WithDeadLetters/Role may not sqs:SendMessage': (_scope, declare) => {
    declare({ deadLetterQueueEnabled: true });
  },
  'InVpc/Function may not ec2:CreateNetworkInterface': (scope, declare) => {
    declare({ vpc: Vpc.fromVpcAttributes(scope, 'Vpc', vpc) });
  },
  'OfAws/Role has the managed policy arn:${AWS::Partition}:iam::aws:policy/AmazonS3ReadOnlyAccess': (
    _scope,
    declare,
  ) => {
    declare().role?.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName('AmazonS3ReadOnlyAccess'));
  },
  'OfStack/Role has the managed policy ${PlantedOfStackPolicy': (scope, declare) => {
    const statements = [statement('cloudwatch:DescribeAlarms', '*')];
    declare().role?.addManagedPolicy(new iam.ManagedPolicy(scope, 'Policy', { statements }));
  },
};

describe('the synthesis fails for what the boundary would deny', () => {
  const { scope: all, handler, actions } = stage();
  handler.addToRolePolicy(statement('ses:SendEmail', '*'));
  for (const [says, add] of Object.entries(denied)) {
    const scope = new Construct(all, says.replace(/\/.*/, ''));
    add(scope, (props) => {
      const role = new iam.Role(scope, 'Role', {
        assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
      });
      return new lambda.Function(scope, 'Function', { ...runnable, role, ...props });
    });
  }
  const problems = problemsOf(actions);

  it('with where it belongs', () => {
    expect(problems).toContain(
      `${id}/Role may not ses:SendEmail: its permissions boundary would deny it. Allow it in infra/access/boundary.ts ` +
        'too, and have an administrator deploy the access stack first: docs/access.md. What an operation does with ' +
        'tables belongs in infra/settings/limits-and-permissions.ts.',
    );
  });

  it.each(Object.keys(denied))('%s', (says) => {
    const [actor, what = ''] = says.split(/ may not | has the managed policy /);

    expect(problems.find((each) => each.startsWith(`${actor} `))).toContain(what);
  });
});

/** Returns what a synthesis names. */
function problemsOf(synthesize: () => unknown): readonly string[] {
  try {
    synthesize();
  } catch (error) {
    return `${error}`.split('\n').map((line) => line.replace(/ {2}\[PetStore-staging\] (Planted\/)?/, ''));
  }
  return [];
}

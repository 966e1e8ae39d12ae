import type { OperationEntry, OperationEvent, Stack, StackStatus } from '@aws-sdk/client-cloudformation';
import type { Event as TrailEvent } from '@aws-sdk/client-cloudtrail';
import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { ResourceNotFoundException as FunctionNotFoundException } from '@aws-sdk/client-lambda';
import { expect } from 'vitest';
import type { StageSettings } from '../../../../infra/settings/stages.ts';
import { capitalize } from '../../../../infra/stack-names.ts';
import { access } from '../../../../test/support/infra/access.ts';
import { isPermitted } from '../../../../test/support/infra/iam.ts';
import { type Call, requestOfCall, requestOfCommand } from '../../../../test/support/infra/iam-requests.ts';
import { account, arn } from '../../../local-api/template/account.ts';
import { readStage, type Verb } from '../../read-stage.ts';
import { awsError } from './aws-errors.ts';
import { type Answers, type Fault, fakeAws } from './fake-aws.ts';
import { idOf, settings as own, stack, stackOutputs, stackResources } from './stack-resources.ts';
import {
  apiKeys,
  day,
  definitions,
  minutesAgo,
  now,
  oldKeys,
  otherIds,
  ownTable,
  tableName,
} from './stage-names.ts';
import { dayBefore, type Row, requests } from './traffic.ts';

/** What a stage is like, as far as it differs from one that is well. */
export interface World {
  readonly status?: StackStatus;
  /** How many minutes ago the stack's last update began. */
  readonly updated?: number;
  readonly outputs?: Readonly<Record<string, string>>;
  /** Names of alarms that fire, or the beginnings of the logical ids of those of a release. */
  readonly alarms?: readonly string[];
  /** The values of the parameter with the releases, and how many minutes ago they were set. */
  readonly releases?: readonly (readonly [value: string, minutes: number])[];
  readonly events?: readonly TrailEvent[];
  readonly iamEvents?: readonly TrailEvent[];
  readonly requests?: readonly Row[];
  readonly earlier?: readonly Row[];
  readonly log?: readonly Row[];
  /** The keys that the authorizer denied. */
  readonly denied?: readonly Row[];
  /** The number of items of each table that exists, or what DynamoDB says of it. */
  readonly tables?: Readonly<Record<string, number | TableDescription>>;
  /** The ids of deployments in progress. */
  readonly deployments?: readonly string[];
  /** Failures of the stack's operations, the newest first. */
  readonly failures?: readonly OperationEvent[];
  /** The stack's last operations, the newest first. */
  readonly operations?: readonly OperationEntry[];
  /** What the alias of a function serves, with the version that gets a tenth of the requests besides. */
  readonly aliasOf?: (functionName: string) => { readonly version: number; readonly canary?: number };
  readonly hasVersion?: (functionName: string, version: number) => boolean;
  /** Other stacks, and null for a stack that does not exist. */
  readonly stacks?: Readonly<Record<string, Partial<Stack> | null>>;
  /** How many functions may run in the account. */
  readonly concurrency?: number;
  /** The tables with what a restore does not bring back. */
  readonly safeTables?: readonly string[];
  readonly answers?: Partial<Answers>;
  readonly faultOf?: (call: Call) => Fault | undefined;
  readonly pageSize?: number;
}

/** Returns a world in which some calls go wrong. */
export const failing = (fault: Fault, ...commands: readonly string[]) => ({
  faultOf: ({ command }: Call) => (commands.includes(command) ? fault : undefined),
});

export const outputsOf = (outputs: Readonly<Record<string, string>>) =>
  Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));

/** A failure of an operation of the stack. */
export const failure = (
  LogicalResourceId: string,
  ResourceStatusReason: string,
  minutes = 20,
): OperationEvent => ({
  EventId: `${LogicalResourceId}-${minutes}`,
  StackId: arn('cloudformation', `stack/${stack}/1a2b`),
  OperationId: 'update-1',
  OperationType: 'UPDATE_STACK',
  EventType: 'STACK_EVENT',
  LogicalResourceId,
  ResourceType: stackResources.find(({ logicalId }) => logicalId === LogicalResourceId)?.type,
  Timestamp: minutesAgo(minutes),
  ResourceStatus: 'UPDATE_FAILED',
  ResourceStatusReason,
});

/** Returns the definition of a table of the stack, or of a copy. */
const definitionOf = (name: string) =>
  definitions.find(({ id }) => name.includes(`Tables${capitalize(id)}`) || name.includes(`-${id}-`));

function indexesOf(name: string) {
  const { indexes = {} } = definitionOf(name) ?? {};
  return Object.keys(indexes).map((IndexName) => ({ IndexName, IndexStatus: 'ACTIVE' as const }));
}

/** A stage that is well. */
export const healthy = {
  status: 'UPDATE_COMPLETE',
  alarms: [],
  updated: 3 * day,
  events: [],
  iamEvents: [],
  log: [],
  denied: [],
  releases: [
    ['bbbbbbbbbbbb 222222222222 333333333333 bbbbbbbbbbbb', 3 * day],
    ['aaaaaaaaaaaa 222222222222 333333333333 aaaaaaaaaaaa', 10 * day],
  ],
  requests: [requests(1000)],
  earlier: [requests(20_000, dayBefore)],
  tables: { [ownTable]: 12_000, [apiKeys]: 9 },
  deployments: [],
  failures: [],
  operations: [{ OperationType: 'UPDATE_STACK', OperationId: 'update-1' }],
  aliasOf: (): { readonly version: number; readonly canary?: number } => ({ version: 6 }),
  hasVersion: () => true,
  safeTables: [ownTable, apiKeys],
  concurrency: 1000,
} satisfies World;

/**
 * Reads a stage, and expects that the roles in its report may make all of its calls and run all of its commands.
 */
export async function readFake<Options>(
  verb: Verb<Options>,
  options: Options,
  world: World = {},
  settings: StageSettings = own,
) {
  const { clients, calls, impossible } = fakeStage(world);
  const report = await readStage(verb, 'production', options, { clients, settings });

  const steps = report.findings.flatMap(({ next }) => next);
  const commands = steps.flatMap(({ role, commands = [] }) =>
    commands
      .filter((command) => /^aws (?!configure )/.test(command))
      .map((command) => ({ role, ...requestOfCommand(command) })),
  );
  const requests = [...calls.map((call) => ({ role: report.role, ...requestOfCall(call) })), ...commands];
  const denied = requests.filter(
    ({ role, ...request }) =>
      role !== 'administrator' && !isPermitted(access.statementsOf(`${role}`), request),
  );
  expect({ denied, impossible }).toEqual({ denied: [], impossible: [] });
  return report;
}

/** Returns clients of a fake AWS with the stage production, and the calls that they get. */
export function fakeStage(world: World = {}) {
  const { status, updated, releases, alarms, ...rest } = { ...healthy, ...world };
  const others = otherIds.map(tableName);
  const tables = new Map<string, number | TableDescription>([
    ...others.map((name) => [name, 1] as const),
    ...Object.entries(rest.tables),
  ]);
  const safeTables = [...others, ...rest.safeTables];
  const logGroups = stackResources
    .filter(({ type }) => type === 'AWS::Logs::LogGroup')
    .map(({ physicalId }) => physicalId);
  const results = { requests: rest.requests, earlier: rest.earlier, log: rest.log, denied: rest.denied };
  const polls = new Map<string, number>();
  let queryOfDenied = '';

  const answers: Answers = {
    DescribeStacks: ({ StackName = '' }) => {
      const other = world.stacks?.[StackName];
      if (other === null) throw awsError('ValidationError', `Stack with id ${StackName} does not exist`);
      return {
        Stacks: [
          {
            StackName,
            StackId: arn('cloudformation', `stack/${StackName}/1a2b`),
            CreationTime: minutesAgo(100 * day),
            LastUpdatedTime: minutesAgo(updated),
            StackStatus: status,
            LastOperations: [...rest.operations],
            Outputs: outputsOf({ ...stackOutputs, ...world.outputs }),
            ...other,
          },
        ],
      };
    },
    ListStackResources: () => ({
      StackResourceSummaries: stackResources.map(({ type, logicalId, physicalId }) => ({
        ResourceType: type,
        LogicalResourceId: logicalId,
        PhysicalResourceId: physicalId,
        LastUpdatedTimestamp: minutesAgo(updated),
        ResourceStatus: 'UPDATE_COMPLETE',
      })),
    }),
    GetTemplate: () => ({
      TemplateBody: JSON.stringify({ Resources: definitions.map(({ id }) => indexesOf(tableName(id))) }),
    }),
    DescribeEvents: () => ({ OperationEvents: [...rest.failures] }),
    DescribeAlarms: () => ({
      MetricAlarms: stackResources
        .filter(({ type }) => type === 'AWS::CloudWatch::Alarm')
        .map(({ logicalId, physicalId, properties }) => ({
          AlarmName: physicalId,
          AlarmDescription: `${properties['AlarmDescription']}`,
          StateValue: alarms.some((name) => physicalId === `${stack}-${name}` || logicalId.startsWith(name))
            ? 'ALARM'
            : 'OK',
          StateTransitionedTimestamp: minutesAgo(15),
        })),
    }),
    GetParameterHistory: ({ Name }) => ({
      // The oldest is first.
      Parameters: releases.toReversed().map(([Value, minutes], index) => ({
        Name,
        Type: 'String',
        Value,
        Version: index + 1,
        LastModifiedDate: minutesAgo(minutes),
      })),
    }),
    LookupEvents: ({ LookupAttributes = [], StartTime }, client) => ({
      Events: (client === 'iamTrail' ? rest.iamEvents : rest.events).filter(
        (event) =>
          Number(event.EventTime) >= Number(StartTime) &&
          LookupAttributes.every(
            ({ AttributeKey, AttributeValue }) => Object(event)[`${AttributeKey}`] === AttributeValue,
          ),
      ),
    }),
    StartQuery: ({ logGroupNames = [], endTime, queryString = '' }) => {
      const missing = logGroupNames.find((name) => !logGroups.includes(name));
      if (missing !== undefined || logGroupNames.length === 0)
        throw awsError('ResourceNotFoundException', `Log group '${missing}' does not exist for account ID`);
      if (logGroupNames.length > 1) return { queryId: 'log' };
      if (logGroupNames[0]?.includes('Authorizer')) {
        queryOfDenied = queryString;
        return { queryId: 'denied' };
      }
      return { queryId: endTime === now.getTime() / 1000 ? 'requests' : 'earlier' };
    },
    GetQueryResults: ({ queryId = '' }) => {
      const rows: readonly Row[] = new Map(Object.entries(results)).get(queryId) ?? [];
      const whole = rows
        .filter(({ keyId }) => queryId !== 'denied' || queryOfDenied.includes(`"${keyId}"`))
        .toSorted((a, b) => Number(b['count']) - Number(a['count']))
        .map((row) => Object.entries(row).map(([field, value]) => ({ field, value: `${value}` })));
      // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_GetQueryResults.html
      const poll = polls.get(queryId) ?? 0;
      polls.set(queryId, poll + 1);
      if (poll === 0) return { status: 'Scheduled', results: [] };
      return poll === 1
        ? { status: 'Running', results: whole.slice(0, 1) }
        : { status: 'Complete', results: whole };
    },
    DescribeTable: ({ TableName = '' }) => {
      const found = tables.get(TableName);
      if (found === undefined)
        throw new ResourceNotFoundException({ $metadata: {}, message: 'Requested resource not found' });
      return {
        Table: {
          TableName,
          TableArn: arn('dynamodb', `table/${TableName}`),
          TableStatus: 'ACTIVE',
          CreationDateTime: minutesAgo(TableName === oldKeys ? 80 * day : 10),
          ItemCount: typeof found === 'number' ? found : 0,
          GlobalSecondaryIndexes: indexesOf(TableName),
          DeletionProtectionEnabled: safeTables.includes(TableName),
          ...(typeof found === 'object' && found),
        },
      };
    },
    ListTables: () => ({ TableNames: [...tables.keys()].toSorted() }),
    DescribeTimeToLive: ({ TableName = '' }) => ({
      TimeToLiveDescription:
        safeTables.includes(TableName) && definitionOf(TableName)?.timeToLive
          ? { TimeToLiveStatus: 'ENABLED', AttributeName: definitionOf(TableName)?.timeToLive }
          : { TimeToLiveStatus: 'DISABLED' },
    }),
    ListTagsOfResource: ({ ResourceArn = '' }) => ({
      Tags: safeTables.some((name) => ResourceArn.endsWith(`table/${name}`))
        ? [
            // An organization may add its own.
            { Key: 'owner', Value: 'pets' },
            { Key: 'cost-center', Value: 'pets' },
            { Key: 'data', Value: 'pets' },
            { Key: 'service', Value: 'pet-store' },
            { Key: 'stage', Value: 'production' },
          ]
        : [],
    }),
    DescribeContinuousBackups: ({ TableName = '' }) => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: safeTables.includes(TableName)
          ? {
              PointInTimeRecoveryStatus: 'ENABLED',
              EarliestRestorableDateTime: minutesAgo(35 * day),
              LatestRestorableDateTime: minutesAgo(5),
            }
          : { PointInTimeRecoveryStatus: 'DISABLED' },
      },
    }),
    ListBackups: ({ TableName }) => ({
      BackupSummaries: [
        {
          TableName,
          BackupArn: arn('dynamodb', `table/${TableName}/backup/1`),
          BackupCreationDateTime: minutesAgo(30),
          BackupType: 'SYSTEM',
          BackupStatus: 'AVAILABLE',
        },
      ],
    }),
    GetCallerIdentity: () => ({ Account: account.id, Arn: `arn:aws:iam::${account.id}:user/ann` }),
    GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: rest.concurrency } }),
    GetTopicAttributes: () => ({ Attributes: { SubscriptionsConfirmed: '1' } }),
    // Each deployment is in the first group, so that a test sees each id once.
    ListDeployments: ({ deploymentGroupName = '', includeOnlyStatuses = [] }) => ({
      deployments:
        deploymentGroupName === idOf('AWS::CodeDeploy::DeploymentGroup') &&
        includeOnlyStatuses.includes('InProgress')
          ? [...rest.deployments]
          : [],
    }),
    GetAlias: ({ FunctionName = '', Name }) => {
      const { version, canary } = rest.aliasOf(FunctionName);
      return {
        AliasArn: arn('lambda', `function:${FunctionName}:${Name}`),
        Name,
        FunctionVersion: `${version}`,
        ...(canary !== undefined && { RoutingConfig: { AdditionalVersionWeights: { [canary]: 0.1 } } }),
      };
    },
    GetFunctionConfiguration: ({ FunctionName = '', Qualifier }) => {
      const functionArn = arn('lambda', `function:${FunctionName}:${Qualifier}`);
      if (!rest.hasVersion(FunctionName, Number(Qualifier))) {
        const message = `Function not found: ${functionArn}`;
        throw new FunctionNotFoundException({ $metadata: {}, message, Type: 'User' });
      }
      return { FunctionName, FunctionArn: functionArn, Version: `${Qualifier}` };
    },
    ...world.answers,
  };
  const { pageSize, faultOf } = world;
  return fakeAws(answers, { now, ...(pageSize && { pageSize }), ...(faultOf && { faultOf }) });
}

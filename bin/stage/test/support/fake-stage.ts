import type {
  OperationEntry,
  OperationEvent,
  Stack,
  StackEvent,
  StackStatus,
} from '@aws-sdk/client-cloudformation';
import type { Event as TrailEvent } from '@aws-sdk/client-cloudtrail';
import type { AlarmHistoryItem, CompositeAlarm } from '@aws-sdk/client-cloudwatch';
import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { ResourceNotFoundException as FunctionNotFoundException } from '@aws-sdk/client-lambda';
import { expect } from 'vitest';
import type { StageSettings } from '../../../../infra/settings/stages.ts';
import { capitalize } from '../../../../infra/stack-names.ts';
import { type Key, namesOf } from '../../../../shared/tables/table.ts';
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
  List,
  logOf,
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
  /** Alarms as CloudWatch has them, by their names without the stack's, as far as they differ from OK ones. */
  readonly alarmsAs?: Readonly<Record<string, CompositeAlarm>>;
  /** Changes of alarms, the newest first. */
  readonly alarmHistory?: readonly AlarmHistoryItem[];
  /** Events of the stack, the newest first. */
  readonly stackEvents?: readonly StackEvent[];
  /** How many requests API Gateway counts, and the web ACL blocks, in each of the last 25 hours' minutes. */
  readonly metrics?: Readonly<Record<string, (minutesAgo: number) => number>>;
  /** The attribute with the end of items, by table. */
  readonly timesToLive?: Readonly<Record<string, string>>;
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
  return Object.keys(indexes).map((IndexName) => ({
    IndexName,
    IndexStatus: 'ACTIVE' as const,
    KeySchema: keySchema(indexes[IndexName]),
  }));
}

const keySchema = (key?: Key) =>
  (key ? namesOf(key) : []).map((AttributeName, place) => ({
    AttributeName,
    KeyType: place === 0 ? ('HASH' as const) : ('RANGE' as const),
  }));

const apiOfStage = stackResources.find(({ type }) => type === 'AWS::ApiGateway::RestApi')?.properties['Name'];

const healthyMetrics: World['metrics'] = { Count: () => 17 };

const webAclMetrics = (metrics: World['metrics'] = {}) =>
  Object.keys(metrics).filter((name) => !['Count', '4XXError', '5XXError'].includes(name));

/** Returns the rows of a query, as far as they are of its time: of a part of a row's time, a part of its lines. */
function rowsOf(
  query: Parameters<Answers['StartQuery']>[0] | undefined,
  {
    requests: recent,
    earlier,
    log,
    denied,
  }: Required<Pick<World, 'requests' | 'earlier' | 'log' | 'denied'>>,
): readonly Row[] {
  const [name = ''] = query?.logGroupNames ?? [];
  const { queryString = '', startTime = 0, endTime = 0 } = query ?? {};
  if (queryString.includes('keyId in '))
    return denied.filter(({ keyId }) => queryString.includes(`"${keyId}"`));
  if (!name.includes('AccessLogs'))
    return log.filter((row) => (row['log'] ?? logOf(List)) === `${account.id}:${name}`);
  return [...recent, ...earlier].flatMap((row) => {
    const [first, last] = [Number(row['first']), Number(row['last'])];
    const [from, to] = [Math.max(first, startTime * 1000), Math.min(last, endTime * 1000)];
    const whole = Math.max(last - first, 1);
    const lines = Math.round((Number(row['count']) * Math.max(to - from, 1)) / whole);
    if (Number.isNaN(first + last)) return [row];
    return to >= from && lines > 0 ? [{ ...row, count: lines, first: from, last: to }] : [];
  });
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

  const rows = (report.sections ?? []).flatMap((section) => section.rows);
  const steps = [...report.findings.flatMap(({ next }) => next), ...rows.flatMap((row) => row.steps ?? [])];
  const commands = steps.flatMap(({ role, commands = [] }) =>
    commands
      .filter((command) => /^aws (?!configure )/.test(command))
      .map((command) => ({ role, ...requestOfCommand(command) })),
  );
  // https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html: no permissions are required.
  const asked = calls.filter(({ command }) => command !== 'GetCallerIdentity');
  const requests = [...asked.map((call) => ({ role: report.role, ...requestOfCall(call) })), ...commands];
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
  const queries: Parameters<Answers['StartQuery']>[0][] = [];
  const polls = new Map<string, number>();

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
    DescribeStackEvents: () => ({ StackEvents: [...(world.stackEvents ?? [])] }),
    DescribeAlarms: ({ AlarmTypes = ['MetricAlarm'] }) => {
      const alarmsOf = (resourceType: string) =>
        stackResources
          .filter(({ type }) => type === resourceType)
          .map(({ logicalId, physicalId, properties }) => ({
            AlarmName: physicalId,
            AlarmDescription: `${properties['AlarmDescription']}`,
            ActionsEnabled: true,
            StateValue: alarms.some((name) => physicalId === `${stack}-${name}` || logicalId.startsWith(name))
              ? ('ALARM' as const)
              : ('OK' as const),
            StateTransitionedTimestamp: minutesAgo(15),
            ...world.alarmsAs?.[physicalId.replace(`${stack}-`, '')],
          }));
      return {
        MetricAlarms: alarmsOf('AWS::CloudWatch::Alarm'),
        CompositeAlarms: AlarmTypes.includes('CompositeAlarm')
          ? alarmsOf('AWS::CloudWatch::CompositeAlarm')
          : [],
      };
    },
    DescribeAlarmHistory: ({ AlarmTypes = ['MetricAlarm'] }) => ({
      AlarmHistoryItems: (world.alarmHistory ?? []).filter(
        ({ AlarmType: type }) => type && AlarmTypes.includes(type),
      ),
    }),
    GetMetricData: ({ MetricDataQueries = [], StartTime, EndTime }) => {
      const minutes = Math.round((Number(EndTime) - Number(StartTime)) / 60_000);
      const search =
        /^SEARCH\('\{AWS\/WAFV2,Region,Rule,WebACL\} MetricName="BlockedRequests" WebACL="PetStore-production"', 'Sum', 60\)$/;
      const labels = MetricDataQueries.flatMap(({ Id, Label, Expression, MetricStat }) => {
        const isOfApi = MetricStat?.Metric?.Dimensions?.some(({ Value }) => Value === apiOfStage);
        const rules = search.test(Expression ?? '') ? webAclMetrics(world.metrics) : [];
        return [...(isOfApi ? [Label] : []), ...rules].map((label) => ({ Id, Label: label }));
      });
      return {
        MetricDataResults: labels.map(({ Id, Label = '' }) => {
          const points = Array.from({ length: minutes }, (_, index) => index + 1).flatMap((ago) => {
            const value = (world.metrics ?? healthyMetrics)?.[Label]?.(ago) ?? 0;
            return value > 0 ? [{ at: minutesAgo(ago), value }] : [];
          });
          return {
            Id,
            Label,
            StatusCode: 'Complete' as const,
            Timestamps: points.map(({ at }) => at),
            Values: points.map(({ value }) => value),
          };
        }),
      };
    },
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
    StartQuery: (query) => {
      const [name = '', ...others] = query.logGroupNames ?? [];
      if (!logGroups.includes(name) || others.length > 0)
        throw awsError('ResourceNotFoundException', `Log group '${name}' does not exist for account ID`);
      return { queryId: `${queries.push(query) - 1}` };
    },
    GetQueryResults: ({ queryId = '' }) => {
      const whole = rowsOf(queries[Number(queryId)], rest)
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
          BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
          KeySchema: keySchema(definitionOf(TableName)?.key),
          DeletionProtectionEnabled: safeTables.includes(TableName),
          ...(typeof found === 'object' && found),
        },
      };
    },
    ListTables: () => ({ TableNames: [...tables.keys()].toSorted() }),
    DescribeTimeToLive: ({ TableName = '' }) => {
      const own = safeTables.includes(TableName) ? definitionOf(TableName)?.timeToLive : undefined;
      const AttributeName = world.timesToLive?.[TableName] ?? own;
      return {
        TimeToLiveDescription: AttributeName
          ? { TimeToLiveStatus: 'ENABLED', AttributeName }
          : { TimeToLiveStatus: 'DISABLED' },
      };
    },
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

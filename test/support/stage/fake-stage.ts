import { ResourceNotFoundException } from '@aws-sdk/client-dynamodb';
import { expect } from 'vitest';
import { openClients } from '../../../bin/stage/aws.ts';
import { readStage, type Verb } from '../../../bin/stage/read-stage.ts';
import { alarmText } from '../../../infra/monitoring/add-alarms.ts';
import { operationSettings } from '../../../infra/settings/limits-and-permissions.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { capitalize, tableOutput } from '../../../infra/stack-names.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { type OperationId, operations, tables } from '../../../shared/service.ts';
import type { TableDefinition } from '../../../shared/tables/table.ts';
import { list, table } from '../contract/own-operations.ts';
import { access } from '../infra/access.ts';
import { isPermitted } from '../infra/iam.ts';
import { productionSettings } from '../infra/stage-settings.ts';
import { type Call, requestOfCall, requestOfCommand } from './iam-requests.ts';

/** A response of AWS, in the shape that its documentation has for the SDK. */
export type Answer = (input: Readonly<Record<string, unknown>>) => object;

/** An answer of AWS to who may not ask. */
export const denied: Answer = () => {
  throw new Error('denied');
};

const instant = (time: string) => new Date(`2026-11-${time}Z`);

/** When the reports of the tests are made. */
export const now = instant('23T20:00:00');

export const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

const stack = 'PetStore-production';
export const List = capitalize(list.operationId);
/** The operations that write, with their names in API Gateway's settings of methods. */
export const writes = Object.values(operations)
  .filter(
    ({ method, operationId }: Operation & { operationId: OperationId }) =>
      method !== 'GET' && operationSettings[operationId].tableActions[table.id],
  )
  .map(({ operationId, path, method }) => ({ operationId, name: `${path.replaceAll('/', '~1')}/${method}` }));
const tableName = (id: string) => `${stack}-Tables${capitalize(id)}1A2B`;
export const ownTable = tableName(table.id);
export const apiKeys = tableName('apiKeys');
const definitions: readonly TableDefinition[] = tables;
/** Further tables of the service, which are always there. */
const otherIds = definitions.map(({ id }) => id).filter((id) => id !== table.id && id !== 'apiKeys');
export const linesOfOthers = new RegExp(`\\n *(${otherIds.join('|') || 'none'}): .*`, 'g');
/** A copy of the keys that a restore has left over. */
export const oldKeys = `${stack}-restored-apiKeys-202609010300`;
export const functions = ['Authorizer', ...Object.keys(operations).map(capitalize)];
const functionName = (name: string) => `${stack}-${name}Function1A2B`;
const account = '123456789012';
const lambdaArn = (name: string) => `arn:aws:lambda:us-east-1:${account}:function:${functionName(name)}`;

export const webAcl = {
  api: 'arn:aws:apigateway:us-east-1::/restapis/a1b2c3d4e5/stages/v1',
  acl: `arn:aws:wafv2:us-east-1:${account}:regional/webacl/${stack}/1a2b`,
};

const resources: readonly (readonly [type: string, logicalId: string, physicalId: string])[] = [
  ['AWS::ApiGateway::RestApi', 'PetStoreApi0439747D', 'a1b2c3d4e5'],
  ['AWS::Logs::LogGroup', 'PetStoreAccessLogs821E7380', `${stack}-PetStoreAccessLogs821E7380-1A2B`],
  ['AWS::IAM::Role', 'PetStoreApiCloudWatchRole3D17', `${stack}-CloudWatchRole-1A2B`],
  ['AWS::WAFv2::WebACLAssociation', 'WebAclAssociation', `${webAcl.api}|${webAcl.acl}`],
  ['AWS::CodeDeploy::Application', 'ReleasesApplication', `${stack}-ReleasesApplication-1A2B`],
  ...functions.flatMap((name) => [
    ['AWS::Lambda::Function', `${name}Function`, functionName(name)] as const,
    ['AWS::Lambda::Alias', `${name}FunctionAliaslive`, `${lambdaArn(name)}:live`] as const,
    ['AWS::Logs::LogGroup', `${name}Logs`, `${stack}-${name}Logs-1A2B`] as const,
    ['AWS::CodeDeploy::DeploymentGroup', `Releases${name}`, `${stack}-Releases${name}-1A2B`] as const,
  ]),
  ['AWS::Lambda::Function', 'ReleasesCheckFunction', functionName('ReleasesCheck')],
];

/** What a stage is like, as far as it differs from one that is well. */
export interface World {
  readonly status?: string;
  readonly outputs?: Readonly<Record<string, string>>;
  /** Names of alarms that fire. */
  readonly alarms?: readonly string[];
  /** The values of the parameter with the releases, and how many minutes ago they were set. */
  readonly releases?: readonly (readonly [value: string, minutes: number])[];
  /** Changes: minutes ago, name of the event, parameters, and who. */
  readonly events?: readonly Event[];
  readonly requests?: readonly Row[];
  readonly earlier?: readonly Row[];
  readonly log?: readonly Row[];
  /** The number of items of each table that exists. */
  readonly tables?: Readonly<Record<string, number | object>>;
  /** The ids of deployments in progress, and why resources failed. */
  readonly deployments?: readonly string[];
  readonly failures?: readonly (readonly [logicalId: string, reason: string])[];
  /** The versions of each function, and how many minutes ago they were published; the alias is at `live`. */
  readonly versions?: readonly (readonly [version: number, minutes: number])[];
  readonly live?: number;
  /** Other stacks, and null for a stack that does not exist. */
  readonly stacks?: Readonly<Record<string, object | null>>;
  /** How many functions may run in the account. */
  readonly concurrency?: number;
  /** The tables with backups, and the limit of creates. */
  readonly safeTables?: readonly string[];
  readonly createLimit?: number;
  readonly answers?: Readonly<Record<string, Answer>>;
}

interface Event {
  readonly minutes: number;
  readonly name: string;
  readonly parameters: object;
  readonly sourceIPAddress?: string;
  readonly source?: string;
}

export type Row = Readonly<Record<string, string | number>>;

/** Requests of the access log; a field that a request has not is `-` there. */
export const requests = (count: number, fields: Row = {}): Row => ({
  count,
  status: 200,
  responseType: '-',
  waf: 'WAF_ALLOW',
  method: 'GET',
  path: list.path,
  client: 'acme',
  keyId: 'aaaaaaaaaaaa',
  first: minutesAgo(59).getTime(),
  last: minutesAgo(0).getTime(),
  ...fields,
});

/**
 * Adds what is always there: some failures, scanners, made-up keys and throttled requests, a key that its client
 * uses no more, a table that an old restore has left over, and changes that nobody can notice.
 */
export function withBackground(world: World): World {
  const hourly = (count: number, fields: Row) => ({
    now: requests(count, { client: 'other', keyId: 'other0000000', ...fields }),
    before: requests(24 * count, { client: 'other', keyId: 'other0000000', ...fields, ...dayBefore }),
  });
  const nobody = { client: '-', keyId: '-', status: 401 };
  const noise = [
    hourly(9, { status: 500, path: '/unrelated' }),
    hourly(30, { ...nobody, waf: 'WAF_BLOCK' }),
    hourly(6, { ...nobody, responseType: 'ACCESS_DENIED' }),
    hourly(12, { status: 429, responseType: 'THROTTLED' }),
  ];
  const idle = requests(500, { client: 'idle', keyId: 'idle00000000', ...dayBefore });
  const { requests: rows, earlier, log, events, tables } = { ...healthy, ...world };
  const parameters = { resourceArn: ownTable, alarmName: `${stack}-GatewayErrors` };
  return {
    ...world,
    requests: rows.length > 0 ? [...rows, ...noise.map(({ now }) => now)] : [],
    earlier: [...earlier, idle, ...noise.map(({ before }) => before)],
    log: [
      ...log,
      lines(9, {
        first: minutesAgo(59).getTime(),
        code: 'internal_error',
        error: 'Error',
        text: 'unrelated',
      }),
    ],
    events: [
      ...events,
      { minutes: 21, name: 'TagResource', parameters },
      { minutes: 22, name: 'SetAlarmState', parameters },
    ],
    tables: { ...tables, [oldKeys]: 3 },
  };
}

export const outputsOf = (outputs: Readonly<Record<string, string>>) =>
  Object.entries(outputs).map(([OutputKey, OutputValue]) => ({ OutputKey, OutputValue }));

/** Lines that functions log. */
export const lines = (count: number, fields: Row): Row => ({
  count,
  log: `${account}:${stack}-${List}Logs-1A2B`,
  version: 7,
  first: minutesAgo(20).getTime(),
  last: minutesAgo(0).getTime(),
  ...fields,
});

/** Returns the indexes of a table of the stack, or of a restored one. */
function indexesOf(name: string) {
  const isIn = ({ id }: TableDefinition) =>
    name.includes(`Tables${capitalize(id)}`) || name.includes(`-${id}-`);
  const { indexes = {} } = definitions.find(isIn) ?? {};
  return Object.keys(indexes).map((IndexName) => ({ IndexName, IndexStatus: 'ACTIVE' }));
}

const day = 24 * 60;
const dayBefore = { first: minutesAgo(1400).getTime(), last: minutesAgo(61).getTime() };
const healthy = {
  status: 'UPDATE_COMPLETE',
  alarms: [],
  events: [],
  log: [],
  releases: [
    ['bbbbbbbbbbbb 222222222222 333333333333', 3 * day],
    ['aaaaaaaaaaaa 222222222222 333333333333', 10 * day],
  ],
  requests: [requests(1000)],
  earlier: [requests(20_000, dayBefore)],
  tables: { [ownTable]: 12_000, [apiKeys]: 9 },
  deployments: [],
  failures: [],
  versions: [
    [5, 10 * day],
    [6, 3 * day],
  ],
  live: 6,
  safeTables: [ownTable, apiKeys],
  createLimit: 400,
  concurrency: 1000,
} satisfies World;

/**
 * Reads a stage, and expects that the roles in its report may make all of its calls and run all of its commands.
 */
export async function readFake<Options>(
  verb: Verb<Options>,
  options: Options,
  world: World = {},
  settings: StageSettings = productionSettings,
) {
  const { clients, calls } = fakeStage(world);
  const report = await readStage(verb, 'production', options, { clients, now, settings });

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
  expect(denied).toEqual([]);
  return report;
}

/** Returns clients of a fake AWS with the stage production, and the calls that they get. */
export function fakeStage(world: World = {}) {
  const { status, releases, alarms, ...rest } = { ...healthy, ...world };
  const others = otherIds.map(tableName);
  const tables = { ...Object.fromEntries(others.map((name) => [name, 1])), ...rest.tables };
  const safeTables = [...others, ...rest.safeTables];
  const outputs = {
    ...Object.fromEntries(otherIds.map((id) => [tableOutput(id), tableName(id)])),
    [tableOutput(table.id)]: ownTable,
    ApiKeysTableName: apiKeys,
    Commit: 'bbbbbbbbbbbb',
    ...world.outputs,
  };
  const answers: Readonly<Record<string, Answer>> = {
    DescribeStacks: ({ StackName }) => {
      const other = world.stacks?.[`${StackName}`];
      if (other === null) throw new Error(`Stack with id ${StackName} does not exist`);
      const found = {
        StackName,
        StackStatus: status,
        Outputs: outputsOf(outputs),
      };
      return { Stacks: [{ ...found, ...other }] };
    },
    ListStackResources: () => ({
      StackResourceSummaries: resources.map(([ResourceType, LogicalResourceId, PhysicalResourceId]) => ({
        ResourceType,
        LogicalResourceId,
        PhysicalResourceId,
      })),
    }),
    GetTemplate: () => ({
      TemplateBody: JSON.stringify({ Resources: definitions.map(({ id }) => indexesOf(tableName(id))) }),
    }),
    DescribeAlarms: () => ({
      MetricAlarms: [...alarms, 'NothingServed'].map((name, index) => ({
        AlarmName: `${stack}-${name}`,
        AlarmDescription: alarmText('page', `${name} means this.`, 'production', 'runbook.md#a-page'),
        StateValue: index < alarms.length ? 'ALARM' : 'OK',
        StateTransitionedTimestamp: minutesAgo(15),
      })),
    }),
    GetParameterHistory: () => ({
      Parameters: releases.map(([Value, minutes]) => ({ Value, LastModifiedDate: minutesAgo(minutes) })),
    }),
    LookupEvents: ({ LookupAttributes }) => {
      const isOfIam = JSON.stringify(LookupAttributes).includes('iam.amazonaws.com');
      return {
        Events: rest.events
          .filter(({ source }) => isOfIam === (source === 'iam.amazonaws.com'))
          .map(cloudTrailEvent),
      };
    },
    StartQuery: ({ logGroupNames, endTime }) => {
      const isNow = endTime === now.getTime() / 1000;
      const isAccessLog = `${logGroupNames}`.includes('AccessLogs');
      return { queryId: isAccessLog ? (isNow ? 'requests' : 'earlier') : 'log' };
    },
    GetQueryResults: ({ queryId }) => {
      const rows: readonly Row[] = Object(new Map(Object.entries(rest)).get(`${queryId}`));
      const results = rows.map((row) =>
        Object.entries(row).map(([field, value]) => ({ field, value: `${value}` })),
      );
      return { status: 'Complete', results };
    },
    DescribeTable: ({ TableName }) => {
      const found = new Map(Object.entries(tables)).get(`${TableName}`);
      if (found === undefined)
        throw new ResourceNotFoundException({ $metadata: {}, message: 'Requested resource not found' });
      return {
        Table: {
          TableName,
          TableArn: `arn:aws:dynamodb:us-east-1:${account}:table/${TableName}`,
          TableStatus: 'ACTIVE',
          CreationDateTime: minutesAgo(TableName === oldKeys ? 80 * day : 10),
          ItemCount: typeof found === 'number' ? found : 0,
          GlobalSecondaryIndexes: indexesOf(`${TableName}`),
          ...(typeof found === 'object' && found),
        },
      };
    },
    ListTables: () => ({ TableNames: Object.keys(tables) }),
    GetStage: () => ({
      stageName: 'v1',
      methodSettings: Object.fromEntries(
        writes.map(({ name }) => [name, { throttlingRateLimit: rest.createLimit }]),
      ),
    }),
    DescribeContinuousBackups: ({ TableName }) => ({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: safeTables.includes(`${TableName}`)
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
          BackupArn: `arn:aws:dynamodb:us-east-1:${account}:table/${TableName}/backup/1`,
          BackupCreationDateTime: minutesAgo(30),
        },
      ],
    }),
    GetCallerIdentity: () => ({ Account: account, Arn: `arn:aws:iam::${account}:user/ann` }),
    GetAccountSettings: () => ({ AccountLimit: { ConcurrentExecutions: rest.concurrency } }),
    GetTopicAttributes: () => ({ Attributes: { SubscriptionsConfirmed: '1' } }),
    DescribeStackEvents: () => ({
      StackEvents: rest.failures.map(([LogicalResourceId, ResourceStatusReason]) => ({
        LogicalResourceId,
        ResourceStatus: 'UPDATE_FAILED',
        ResourceStatusReason,
      })),
    }),
    // Each deployment is in the first group, so that a test sees each id once.
    ListDeployments: ({ deploymentGroupName }) =>
      `${deploymentGroupName}`.includes('Authorizer') ? rest : { deployments: [] },
    GetAlias: ({ Name }) => ({ Name, FunctionVersion: `${rest.live}` }),
    ListVersionsByFunction: ({ FunctionName }) => ({
      Versions: [
        { FunctionName, Version: '$LATEST', LastModified: minutesAgo(1).toISOString().replace('Z', '+0000') },
        ...rest.versions.map(([version, minutes]) => ({
          FunctionName,
          Version: `${version}`,
          LastModified: minutesAgo(minutes).toISOString().replace('Z', '+0000'),
        })),
      ],
    }),
    ...world.answers,
  };

  const clients = openClients();
  const calls: Call[] = [];
  for (const [name, client] of Object.entries(clients)) {
    const send = async (sent: { constructor: { name: string }; input: Call['input'] }) => {
      const { input } = sent;
      const command = sent.constructor.name.replace(/Command$/, '');
      calls.push({ client: name, command, input });
      const answer = new Map(Object.entries(answers)).get(command);
      if (!answer) throw new Error(`The fake AWS does not know ${command}.`);
      return answer(input);
    };
    Object.assign(client, { send });
  }
  return { clients, calls };
}

function cloudTrailEvent({ minutes, name, parameters, sourceIPAddress = '192.0.2.1', source }: Event) {
  return {
    EventId: `${name} ${minutes}`,
    EventName: name,
    Username: 'alice',
    EventSource: source,
    EventTime: minutesAgo(minutes),
    CloudTrailEvent: JSON.stringify({ sourceIPAddress, requestParameters: parameters }),
  };
}

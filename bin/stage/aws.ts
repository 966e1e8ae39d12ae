import { APIGatewayClient, GetStageCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { CloudTrailClient, type Event, paginateLookupEvents } from '@aws-sdk/client-cloudtrail';
import { CloudWatchClient, paginateDescribeAlarms, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { CodeDeployClient, ListDeploymentsCommand } from '@aws-sdk/client-codedeploy';
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  ListBackupsCommand,
  ListTagsOfResourceCommand,
  paginateListTables,
  ResourceNotFoundException,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import {
  GetAccountSettingsCommand,
  GetAliasCommand,
  LambdaClient,
  paginateListVersionsByFunction,
} from '@aws-sdk/client-lambda';
import { GetTopicAttributesCommand, SNSClient } from '@aws-sdk/client-sns';
import { paginateGetParameterHistory, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import * as v from 'valibot';
import { releasesParameter } from '../../infra/stack-names.ts';
import { awsProxyConfig } from '../cli/proxy.ts';

/** Opens the clients. Like the AWS CLI, they follow AWS_PROFILE, AWS_REGION and AWS_ENDPOINT_URL. */
export function openClients() {
  const proxy = awsProxyConfig().requestHandler;
  // A region that is down may leave a connection unanswered.
  const config = { requestHandler: { connectionTimeout: 5000, ...proxy } };
  return {
    apiGateway: new APIGatewayClient(config),
    cloudFormation: new CloudFormationClient(config),
    cloudTrail: new CloudTrailClient(config),
    // IAM is global, and its events are only there.
    iamTrail: new CloudTrailClient({ ...config, region: 'us-east-1' }),
    cloudWatch: new CloudWatchClient(config),
    codeDeploy: new CodeDeployClient(config),
    dynamodb: new DynamoDBClient(config),
    lambda: new LambdaClient(config),
    logs: new CloudWatchLogsClient(config),
    sns: new SNSClient(config),
    ssm: new SSMClient(config),
    sts: new STSClient(config),
  };
}

export type Clients = ReturnType<typeof openClients>;

/** Reads all pages, and returns what each has. */
const all = async <Page, Item>(pages: AsyncIterable<Page>, items: (page: Page) => readonly Item[]) =>
  (await Array.fromAsync(pages)).flatMap(items);

export type Stack = NonNullable<Awaited<ReturnType<typeof readStack>>>;

/** Reads a stack with its resources; undefined if it does not exist. */
export async function readStack({ cloudFormation: client }: Clients, name: string) {
  const { Stacks = [] } = await client
    .send(new DescribeStacksCommand({ StackName: name }))
    .catch((error: unknown) => {
      if (error instanceof Error && /does not exist/.test(error.message)) return { Stacks: [] };
      throw error;
    });
  const [stack] = Stacks;
  if (!stack) return undefined;
  const resources = await all(
    paginateListStackResources({ client }, { StackName: name }),
    ({ StackResourceSummaries = [] }) => StackResourceSummaries,
  );
  const outputs = Object.fromEntries(
    (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [`${OutputKey}`, OutputValue]),
  );
  const parameters = Object.fromEntries(
    (stack.Parameters ?? []).map(({ ParameterKey, ParameterValue }) => [`${ParameterKey}`, ParameterValue]),
  );
  return {
    name,
    status: `${stack.StackStatus}`,
    isProtected: stack.EnableTerminationProtection ?? false,
    outputs,
    parameters,
    /** The physical ids of the resources of a type. */
    idsOf: (type: string, logicalId = '') =>
      resources.flatMap(({ ResourceType, LogicalResourceId, PhysicalResourceId }) =>
        ResourceType === type && PhysicalResourceId && LogicalResourceId?.includes(logicalId)
          ? [PhysicalResourceId]
          : [],
      ),
  };
}

/** Reads which resources failed in the last update of a stack, and why. */
export async function readFailures({ cloudFormation }: Clients, StackName: string) {
  const { StackEvents = [] } = await cloudFormation.send(new DescribeStackEventsCommand({ StackName }));
  return StackEvents.filter(({ ResourceStatus }) => ResourceStatus?.endsWith('FAILED')).map(
    ({ LogicalResourceId, ResourceStatusReason }) => `${LogicalResourceId}: ${ResourceStatusReason}`,
  );
}

export type Release = Awaited<ReturnType<typeof readReleases>>[number];

/** Reads the releases of a stage, newest first. Those of older versions have no digests. */
export async function readReleases({ ssm: client }: Clients, stage: string) {
  const history = paginateGetParameterHistory({ client }, { Name: releasesParameter(stage) });
  return (await all(history, ({ Parameters = [] }) => Parameters))
    .flatMap(({ Value = '', LastModifiedDate: at }) => {
      const [commit = '', template, tables] = Value.split(' ');
      return at ? [{ commit, template, tables, at }] : [];
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/** Reads the alarms of a stack, without those that combine others. */
export async function readAlarms({ cloudWatch: client }: Clients, stack: string) {
  const prefix = `${stack}-`;
  const alarms = paginateDescribeAlarms({ client }, { AlarmNamePrefix: prefix });
  return (await all(alarms, ({ MetricAlarms = [] }) => MetricAlarms)).map(
    ({ AlarmName = '', StateValue: state, StateTransitionedTimestamp: since }) => ({
      name: AlarmName.slice(prefix.length),
      state,
      since,
    }),
  );
}

/** What CloudTrail says of who changed what: https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-record-contents.html */
const TrailEvent = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    userIdentity: v.optional(v.object({ arn: v.optional(v.string()), type: v.optional(v.string()) }), {}),
    sourceIPAddress: v.optional(v.string(), ''),
    errorCode: v.optional(v.string()),
    requestParameters: v.nullish(v.unknown()),
  }),
);

/** Events that CloudTrail counts as changes, but change nothing that a client could notice. */
const harmless =
  /^(?:Get|List|Simulate|Generate|Detect|Tag|Untag|CreateBackup|PutDashboard|PutParameter|SetAlarmState|StartQuery|StopQuery)|ChangeSet$|Alarm(?:Actions)?$|QueryDefinition$/;

const maxEventPages = 6;

const iamSource = 'iam.amazonaws.com';

/** Reads the changes that people made to what one of these names is in, newest first. */
export async function readChanges({ cloudTrail, iamTrail }: Clients, names: readonly string[], since: Date) {
  const found: Event[] = [];
  let isComplete = true;
  for (const [client, AttributeKey, AttributeValue] of [
    [cloudTrail, 'ReadOnly', 'false'],
    [iamTrail, 'EventSource', iamSource],
  ] as const) {
    const LookupAttributes = [{ AttributeKey, AttributeValue }];
    let pages = 0;
    for await (const { Events = [] } of paginateLookupEvents(
      { client },
      { StartTime: since, LookupAttributes },
    )) {
      // In us-east-1, both have IAM's.
      found.push(...Events.filter(({ EventSource }) => client === iamTrail || EventSource !== iamSource));
      pages += 1;
      if (pages === maxEventPages) {
        isComplete = false;
        break;
      }
    }
  }
  const changes = found.flatMap(({ CloudTrailEvent, EventName = '', EventTime: at }) => {
    const { success, output } = v.safeParse(TrailEvent, CloudTrailEvent);
    // A service of AWS, such as CloudFormation, calls from its own name.
    if (!success || !at || output.errorCode || output.sourceIPAddress.endsWith('.amazonaws.com')) return [];
    const parameters = JSON.stringify(output.requestParameters ?? '');
    const texts = parameters.match(/"(?:[^"\\]|\\.)*"/g) ?? [];
    const on = texts.find((text) => names.some((name) => text.includes(name)))?.slice(1, -1);
    if (on === undefined || harmless.test(EventName)) return [];
    const { arn, type } = output.userIdentity;
    return [{ at, what: EventName, on, who: arn?.split(':').slice(5).join(':') ?? `${type}` }];
  });
  return { changes, isComplete };
}

/** A row of a query: its fields by name. A field that no line of its group has is an empty text. */
export type Row = (field: string) => string;

export interface Period {
  readonly from: Date;
  readonly to: Date;
}

export interface Query extends Period {
  readonly logGroupNames: readonly string[];
  readonly lines: readonly string[];
}

const pollMilliseconds = 500;
const maxPolls = 120;

/** Runs a query in CloudWatch Logs Insights. */
export async function query(
  { logs }: Clients,
  { logGroupNames, lines, from, to }: Query,
): Promise<readonly Row[]> {
  const { queryId } = await logs.send(
    new StartQueryCommand({
      logGroupNames: [...logGroupNames],
      queryString: lines.join('\n| '),
      startTime: Math.floor(from.getTime() / 1000),
      endTime: Math.floor(to.getTime() / 1000),
    }),
  );
  for (let poll = 0; poll < maxPolls; poll += 1) {
    const { status, results = [] } = await logs.send(new GetQueryResultsCommand({ queryId }));
    if (status === 'Complete') {
      return results.map((row) => {
        const fields = new Map(row.map(({ field, value }) => [field, value]));
        return (field) => fields.get(field) ?? '';
      });
    }
    if (status !== 'Running' && status !== 'Scheduled') throw new Error(`The query ended as ${status}.`);
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
  throw new Error('The query took over a minute.');
}

/** The time of a row, which is a number of milliseconds, or a text in UTC. */
export const timeOf = (text: string): Date =>
  new Date(/^[\d.]+$/.test(text) ? Number(text) : `${text.replace(' ', 'T')}Z`);

export interface Count {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

export interface Point {
  readonly at: Date;
  readonly value: number;
}

export const sumOf = (points: readonly Point[]) => points.reduce((sum, { value }) => sum + value, 0);

/** Reads the sums of metrics per minute of a period, in their order. */
export async function readMinutes(
  { cloudWatch: client }: Clients,
  counts: readonly Count[],
  { from, to }: Period,
) {
  const MetricDataQueries = counts.map(({ namespace, metric, dimensions }, index) => ({
    Id: `m${index}`,
    MetricStat: {
      Metric: {
        Namespace: namespace,
        MetricName: metric,
        Dimensions: Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value })),
      },
      Period: 60,
      Stat: 'Sum',
    },
  }));
  const data = paginateGetMetricData({ client }, { MetricDataQueries, StartTime: from, EndTime: to });
  const results = await all(data, ({ MetricDataResults = [] }) => MetricDataResults);
  return counts.map((_, index) =>
    results
      .filter(({ Id }) => Id === `m${index}`)
      .flatMap(({ Timestamps = [], Values = [] }) =>
        Timestamps.map((at, place): Point => ({ at, value: Values[place] ?? 0 })),
      ),
  );
}

/** Reads the state of a table; `table` is undefined if it does not exist. */
export async function readTable({ dynamodb }: Clients, TableName: string) {
  const { Table: table } = await dynamodb
    .send(new DescribeTableCommand({ TableName }))
    .catch((error: unknown) => {
      if (error instanceof ResourceNotFoundException) return { Table: undefined };
      throw error;
    });
  return { name: TableName, table };
}

/** Reads the names of the tables that begin with one of these prefixes. */
export async function readTableNames({ dynamodb: client }: Clients, prefixes: readonly string[]) {
  const names = await all(paginateListTables({ client }, {}), ({ TableNames = [] }) => TableNames);
  return names.filter((name) => prefixes.some((prefix) => name.startsWith(prefix)));
}

/** Reads what a restored table has to have besides its items, and when it can be restored to. */
export async function readTableSafety(
  { dynamodb }: Clients,
  { name: TableName, table }: Awaited<ReturnType<typeof readTable>>,
) {
  const [backups, tags, timeToLive] = await Promise.all([
    dynamodb.send(new DescribeContinuousBackupsCommand({ TableName })),
    dynamodb.send(new ListTagsOfResourceCommand({ ResourceArn: table?.TableArn })),
    dynamodb.send(new DescribeTimeToLiveCommand({ TableName })),
  ]);
  const recovery = backups.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
  return {
    hasBackups: recovery?.PointInTimeRecoveryStatus === 'ENABLED',
    earliest: recovery?.EarliestRestorableDateTime,
    latest: recovery?.LatestRestorableDateTime,
    tags: Object.fromEntries((tags.Tags ?? []).map(({ Key, Value }) => [`${Key}`, Value])),
    hasTimeToLive: /^ENABL/.test(timeToLive.TimeToLiveDescription?.TimeToLiveStatus ?? ''),
  };
}

/** Counts items, as they are now, up to a page. */
export const countItems = async ({ dynamodb }: Clients, TableName: string) =>
  (await dynamodb.send(new ScanCommand({ TableName, Select: 'COUNT', Limit: 1000 }))).Count ?? 0;

/** Reads the ARN of the backup that DynamoDB made when a table was deleted. */
export async function readLastBackup({ dynamodb }: Clients, TableName: string) {
  const { BackupSummaries = [] } = await dynamodb.send(
    new ListBackupsCommand({ TableName, BackupType: 'SYSTEM' }),
  );
  const time = ({ BackupCreationDateTime: at }: (typeof BackupSummaries)[number]) => at?.getTime() ?? 0;
  return BackupSummaries.toSorted((a, b) => time(b) - time(a))[0];
}

/** Reads the API's stage: the limits of its methods, and its web ACL. */
export const readApiStage = ({ apiGateway }: Clients, restApiId: string, stageName: string) =>
  apiGateway.send(new GetStageCommand({ restApiId, stageName }));

/** Reads the version to which an alias points, and all published versions, newest first. */
export async function readVersions({ lambda: client }: Clients, FunctionName: string, Name: string) {
  const alias = await client.send(new GetAliasCommand({ FunctionName, Name }));
  const published = paginateListVersionsByFunction({ client }, { FunctionName });
  const versions = (await all(published, ({ Versions = [] }) => Versions))
    .flatMap(({ Version = '', LastModified = '' }) =>
      Version === '$LATEST' ? [] : [{ version: Version, at: new Date(LastModified) }],
    )
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
  return { name: FunctionName, live: `${alias.FunctionVersion}`, versions };
}

/** Reads the ids of the deployments in progress. */
export async function readDeployments(
  { codeDeploy }: Clients,
  applicationName: string,
  groups: readonly string[],
) {
  const lists = await Promise.all(
    groups.map((deploymentGroupName) =>
      codeDeploy.send(
        new ListDeploymentsCommand({
          applicationName,
          deploymentGroupName,
          includeOnlyStatuses: ['Created', 'Queued', 'InProgress', 'Ready'],
        }),
      ),
    ),
  );
  return lists.flatMap(({ deployments = [] }) => deployments);
}

export const readCaller = ({ sts }: Clients) => sts.send(new GetCallerIdentityCommand());

export const readConcurrency = async ({ lambda }: Clients) =>
  (await lambda.send(new GetAccountSettingsCommand())).AccountLimit?.ConcurrentExecutions;

/** Reads how many subscribers of a topic are confirmed, and how many have to confirm. */
export async function readSubscriptions({ sns }: Clients, TopicArn: string) {
  const { Attributes = {} } = await sns.send(new GetTopicAttributesCommand({ TopicArn }));
  return {
    confirmed: Number(Attributes['SubscriptionsConfirmed']),
    pending: Number(Attributes['SubscriptionsPending']),
  };
}

import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { CloudTrailClient } from '@aws-sdk/client-cloudtrail';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import {
  CloudWatchLogsClient,
  GetQueryResultsCommand,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import { CodeDeployClient } from '@aws-sdk/client-codedeploy';
import {
  DescribeTableCommand,
  DynamoDBClient,
  paginateListTables,
  ResourceNotFoundException,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { SNSClient } from '@aws-sdk/client-sns';
import { paginateGetParameterHistory, SSMClient } from '@aws-sdk/client-ssm';
import { STSClient } from '@aws-sdk/client-sts';
import { commitParameter, tableOutput, tablePrefixes } from '../../infra/stack-names.ts';
import { type TableId, tables } from '../../shared/service.ts';
import type { TableDefinition } from '../../shared/tables/table.ts';
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
export const all = async <Page, Item>(
  pages: AsyncIterable<Page>,
  items: (page: Page) => readonly Item[] | undefined,
) => (await Array.fromAsync(pages)).flatMap((page) => items(page) ?? []);

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
    ({ StackResourceSummaries }) => StackResourceSummaries,
  );
  return {
    status: `${stack.StackStatus}`,
    isProtected: stack.EnableTerminationProtection ?? false,
    outputs: Object.fromEntries(
      (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [`${OutputKey}`, OutputValue]),
    ),
    parameters: Object.fromEntries(
      (stack.Parameters ?? []).map(({ ParameterKey, ParameterValue }) => [`${ParameterKey}`, ParameterValue]),
    ),
    /** The physical ids of the resources of a type. */
    idsOf: (type: string, logicalId = '') =>
      resources.flatMap(({ ResourceType, LogicalResourceId, PhysicalResourceId }) =>
        ResourceType === type && PhysicalResourceId && LogicalResourceId?.includes(logicalId)
          ? [PhysicalResourceId]
          : [],
      ),
  };
}

/** Reads the names of the indexes that a deployed stack declares. */
export async function readIndexNames({ cloudFormation: client }: Clients, StackName: string) {
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName }));
  // The CDK writes templates as JSON.
  return Array.from(TemplateBody.matchAll(/"IndexName":\s*"([^"]+)"/g), ([, name]) => name);
}

export type Release = Awaited<ReturnType<typeof readReleases>>[number];

/** Reads the releases of a stage, newest first. Those of older versions have no digests. */
export async function readReleases({ ssm: client }: Clients, stage: string) {
  const history = paginateGetParameterHistory({ client }, { Name: commitParameter(stage) });
  return (await all(history, ({ Parameters }) => Parameters))
    .flatMap(({ Value = '', LastModifiedDate: at }) => {
      const [commit = '', template, tables] = Value.split(' ');
      return at ? [{ commit, template, tables, at }] : [];
    })
    .toSorted((a, b) => b.at.getTime() - a.at.getTime());
}

/** A table; `table` is undefined if it does not exist. */
export interface TableState {
  readonly name: string;
  readonly table: TableDescription | undefined;
}

/** A table that the stage uses, and others of its kind that the stage does not use. */
export interface UsedTable extends TableState {
  readonly id: TableId;
  readonly definition: TableDefinition;
  readonly others: readonly TableState[];
}

/** The table of API keys, which other roles may use than the others. */
export const keysId = 'apiKeys' satisfies TableId;

/** Reads the tables that a stage uses, and those that it could have used before, or could use. */
export async function readTables(
  { dynamodb: client }: Clients,
  stage: string,
  outputs: Stack['outputs'] = {},
): Promise<readonly UsedTable[]> {
  const readTable = async (TableName: string): Promise<TableState> => {
    const { Table: table } = await client
      .send(new DescribeTableCommand({ TableName }))
      .catch((error: unknown) => {
        if (error instanceof ResourceNotFoundException) return { Table: undefined };
        throw error;
      });
    return { name: TableName, table };
  };
  const names = await all(paginateListTables({ client }, {}), ({ TableNames }) => TableNames);
  return Promise.all(
    tables.map(async (definition) => {
      const { id } = definition;
      const used = outputs[tableOutput(id)] ?? '';
      const others = names.filter(
        (name) => name !== used && tablePrefixes(stage, id).some((prefix) => name.startsWith(prefix)),
      );
      return { ...(await readTable(used)), id, definition, others: await Promise.all(others.map(readTable)) };
    }),
  );
}

export type Period = ReturnType<typeof before>;

/** Returns the minutes before an instant. */
export const before = (to: Date, minutes: number) => ({
  from: new Date(to.getTime() - minutes * 60_000),
  to,
});

const pollMilliseconds = 500;
const maxPolls = 120;

/** Runs a query in CloudWatch Logs Insights, and returns the fields of its rows by name. */
export async function query(
  { logs }: Clients,
  logGroupNames: readonly string[],
  lines: readonly string[],
  { from, to }: Period,
) {
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
      return results.map((row) => Object.fromEntries(row.map(({ field, value }) => [`${field}`, value])));
    }
    if (status !== 'Running' && status !== 'Scheduled') throw new Error(`The query ended as ${status}.`);
    await new Promise((resolve) => setTimeout(resolve, pollMilliseconds));
  }
  throw new Error('The query took over a minute.');
}

import type {
  DescribeEventsCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  GetTemplateCommand,
  ListStackResourcesCommand,
} from '@aws-sdk/client-cloudformation';
import type { LookupEventsCommand } from '@aws-sdk/client-cloudtrail';
import type {
  DescribeAlarmHistoryCommand,
  DescribeAlarmsCommand,
  GetMetricDataCommand,
} from '@aws-sdk/client-cloudwatch';
import type { GetQueryResultsCommand, StartQueryCommand } from '@aws-sdk/client-cloudwatch-logs';
import type { ListDeploymentsCommand } from '@aws-sdk/client-codedeploy';
import type {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  ListBackupsCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
} from '@aws-sdk/client-dynamodb';
import type {
  GetAccountSettingsCommand,
  GetAliasCommand,
  GetFunctionConfigurationCommand,
} from '@aws-sdk/client-lambda';
import type { GetTopicAttributesCommand } from '@aws-sdk/client-sns';
import type { GetParameterHistoryCommand } from '@aws-sdk/client-ssm';
import type { GetCallerIdentityCommand } from '@aws-sdk/client-sts';
import type { Call } from '../../../../test/support/infra/iam-requests.ts';
import { account } from '../../../local-api/template/account.ts';
import { Clock, openClients } from '../../aws/clients.ts';
import { faultsOfAnswer } from './answer-schema.ts';
import { denied, throttled } from './aws-errors.ts';

/** The calls that the fake AWS knows. */
interface Commands {
  DescribeAlarmHistory: DescribeAlarmHistoryCommand;
  DescribeAlarms: DescribeAlarmsCommand;
  DescribeContinuousBackups: DescribeContinuousBackupsCommand;
  DescribeEvents: DescribeEventsCommand;
  DescribeStackEvents: DescribeStackEventsCommand;
  DescribeStacks: DescribeStacksCommand;
  DescribeTable: DescribeTableCommand;
  DescribeTimeToLive: DescribeTimeToLiveCommand;
  GetAccountSettings: GetAccountSettingsCommand;
  GetAlias: GetAliasCommand;
  GetCallerIdentity: GetCallerIdentityCommand;
  GetFunctionConfiguration: GetFunctionConfigurationCommand;
  GetMetricData: GetMetricDataCommand;
  GetParameterHistory: GetParameterHistoryCommand;
  GetQueryResults: GetQueryResultsCommand;
  GetTemplate: GetTemplateCommand;
  GetTopicAttributes: GetTopicAttributesCommand;
  ListBackups: ListBackupsCommand;
  ListDeployments: ListDeploymentsCommand;
  ListStackResources: ListStackResourcesCommand;
  ListTables: ListTablesCommand;
  ListTagsOfResource: ListTagsOfResourceCommand;
  LookupEvents: LookupEventsCommand;
  StartQuery: StartQueryCommand;
}
type Name = keyof Commands;

type Output<N extends Name> = Awaited<ReturnType<ReturnType<Commands[N]['resolveMiddleware']>>>['output'];

/** What AWS answers to each call, in the SDK's types. Lists are whole: the fake makes pages of them. */
export type Answers = {
  readonly [N in Name]: (input: Commands[N]['input'], client: string) => Omit<Output<N>, '$metadata'>;
};

/** The list of an answer that has pages, and the members of the call and of the answer that lead to the next. */
const pages: Readonly<Partial<Record<string, readonly [list: string, start: string, next: string]>>> = {
  DescribeAlarmHistory: ['AlarmHistoryItems', 'NextToken', 'NextToken'],
  DescribeAlarms: ['MetricAlarms', 'NextToken', 'NextToken'],
  DescribeEvents: ['OperationEvents', 'NextToken', 'NextToken'],
  DescribeStackEvents: ['StackEvents', 'NextToken', 'NextToken'],
  GetParameterHistory: ['Parameters', 'NextToken', 'NextToken'],
  GetMetricData: ['MetricDataResults', 'NextToken', 'NextToken'],
  GetQueryResults: ['results', 'nextToken', 'nextToken'],
  ListBackups: ['BackupSummaries', 'ExclusiveStartBackupArn', 'LastEvaluatedBackupArn'],
  ListDeployments: ['deployments', 'nextToken', 'nextToken'],
  ListStackResources: ['StackResourceSummaries', 'NextToken', 'NextToken'],
  ListTables: ['TableNames', 'ExclusiveStartTableName', 'LastEvaluatedTableName'],
  ListTagsOfResource: ['Tags', 'NextToken', 'NextToken'],
  LookupEvents: ['Events', 'NextToken', 'NextToken'],
};

/** What goes wrong with a call: it is denied or throttled, also if only its later pages are. */
export type Fault = 'denied' | 'throttled' | 'cut';

interface Options {
  readonly now: Date;
  /** Few, so that each list of a test has pages. */
  readonly pageSize?: number;
  readonly faultOf?: (call: Call) => Fault | undefined;
}

interface Sent {
  readonly constructor: { readonly name: string };
  readonly schema: unknown;
  readonly input: Call['input'];
}

function fail(call: Call, cut: Fault | undefined, fault: Fault | undefined): void {
  if (fault === 'denied') throw denied(call);
  if (fault !== undefined && (fault === 'throttled' || fault === cut)) throw throttled(call);
}

class FixedClock extends Clock {
  readonly #now: Date;

  constructor(now: Date) {
    super();
    this.#now = now;
  }

  override get hasAnswers() {
    return true;
  }

  override now() {
    return this.#now;
  }

  override async pause() {}
}

/** Returns clients of a fake AWS, and the calls that they get. */
export function fakeAws(answers: Answers, { now, pageSize = 3, faultOf }: Options) {
  const clients = openClients(new FixedClock(now));
  clients.sts.config.region = async () => account.region;
  const calls: Call[] = [];
  /** What AWS would not have sent. */
  const impossible: string[] = [];
  const answerOf = ({ client, command, input }: Call): Record<string, unknown> => {
    const answer = Object.entries(answers).find(([name]) => name === command)?.[1];
    if (answer) return Reflect.apply(answer, undefined, [input, client]);
    impossible.push(`The fake AWS does not know ${command}`);
    return {};
  };
  const pageOf = ({ command }: Call, answer: Record<string, unknown>, token: unknown) => {
    const [list = '', , next = ''] = pages[command] ?? [];
    const items = answer[list];
    if (!Array.isArray(items)) return answer;
    const size = command === 'ListStackResources' ? 100 : pageSize;
    const from = token === undefined ? 0 : Number(`${token}`.replace(/^page-/, ''));
    const to = from + size;
    const page = {
      ...answer,
      // They are on the first page.
      ...(command === 'DescribeAlarms' && from > 0 && { CompositeAlarms: [] }),
      [list]: items.slice(from, to),
    };
    return to < items.length ? { ...page, [next]: `page-${to}` } : page;
  };
  for (const [client, own] of Object.entries(clients)) {
    if (own instanceof Clock) continue;
    const send = async (sent: Sent) => {
      const command = sent.constructor.name.replace(/Command$/, '');
      const { [pages[command]?.[1] ?? '']: token, ...input } = sent.input;
      const call = { client, command, input };
      calls.push(call);
      fail(call, token === undefined ? undefined : 'cut', faultOf?.(call));

      const answer = pageOf(call, answerOf(call), token);
      impossible.push(...faultsOfAnswer(sent.schema, answer).map((fault) => `${command}: ${fault}`));
      return answer;
    };
    Object.assign(own, { send });
  }
  return { clients, calls, impossible };
}

import {
  DescribeStacksCommand,
  GetTemplateCommand,
  paginateDescribeEvents,
  paginateDescribeStackEvents,
  paginateListStackResources,
} from '@aws-sdk/client-cloudformation';
import { all, type Clients } from './clients.ts';
import { readNewest } from './newest.ts';

export type Stack = NonNullable<Awaited<ReturnType<typeof readStack>>>;

/** Reads a stack with its resources; undefined if it does not exist. */
export async function readStack({ cloudFormation: client }: Clients, StackName: string) {
  const { Stacks: [stack] = [] } = await client
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error: unknown) => {
      // https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
      const isMissing = error instanceof Error && /does not exist$/.test(error.message);
      if (isMissing && error.name === 'ValidationError') return { Stacks: [] };
      throw error;
    });
  if (!stack) return undefined;
  const resources = await all(
    paginateListStackResources({ client }, { StackName }),
    ({ StackResourceSummaries }) => StackResourceSummaries,
  );
  /** The physical ids of the resources of a type. */
  const idsOf = (type: string, logicalId = '') =>
    resources.flatMap(({ ResourceType, LogicalResourceId, PhysicalResourceId }) =>
      ResourceType === type && PhysicalResourceId && LogicalResourceId?.includes(logicalId)
        ? [PhysicalResourceId]
        : [],
    );
  return {
    name: StackName,
    /** The physical ids of all its resources. */
    ids: resources.flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []),
    status: `${stack.StackStatus}`,
    /** The last update, after its rollback if it had one. */
    operations: stack.LastOperations ?? [],
    /** When its last update began. */
    since: stack.LastUpdatedTime ?? stack.CreationTime,
    isProtected: stack.EnableTerminationProtection ?? false,
    /** What CloudFormation uses for whoever updates the stack, whether they may pass it or not. */
    serviceRole: stack.RoleARN,
    outputs: Object.fromEntries(
      (stack.Outputs ?? []).map(({ OutputKey, OutputValue }) => [`${OutputKey}`, OutputValue]),
    ),
    parameters: Object.fromEntries(
      (stack.Parameters ?? []).map(({ ParameterKey, ParameterValue }) => [`${ParameterKey}`, ParameterValue]),
    ),
    idsOf,
    /** Returns the first of these ids, without which nothing can be read of the resource. */
    idOf: (type: string, logicalId = '') => {
      const [id] = idsOf(type, logicalId);
      if (id === undefined) throw new Error(`The stack has no ${type} ${logicalId}`.trimEnd());
      return id;
    },
  };
}

/** Reads the names of the indexes that a deployed stack declares. */
export async function readIndexNames({ cloudFormation: client }: Clients, StackName: string) {
  const { TemplateBody = '' } = await client.send(new GetTemplateCommand({ StackName }));
  // The CDK writes templates as JSON.
  return Array.from(TemplateBody.matchAll(/"IndexName":\s*"([^"]+)"/g), ([, name]) => name);
}

/** Reads what happened to a stack as a whole, and what of it failed. */
export async function readStackEvents({ cloudFormation: client }: Clients, StackName: string, from: Date) {
  const { items, since } = await readNewest(
    paginateDescribeStackEvents({ client }, { StackName }),
    ({ StackEvents }) => StackEvents,
    ({ Timestamp }) => Timestamp,
    from,
  );
  const own = items.filter(
    ({ LogicalResourceId, ResourceStatus }) =>
      LogicalResourceId === StackName || ResourceStatus?.endsWith('_FAILED'),
  );
  return { items: own, since };
}

/**
 * Reads why the last update failed, or its rollback if that failed too: by the first failure, because CloudFormation
 * then cancels what is still in progress, and each cancellation is a failure. Undefined if nothing failed.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/view-stack-events-by-operation.html
 */
export async function readFailure({ cloudFormation: client }: Clients, { name, status, operations }: Stack) {
  const operation = status.endsWith('ROLLBACK_FAILED') ? operations[0] : operations.at(-1);
  const pages = paginateDescribeEvents({ client }, { StackName: name, Filters: { FailedEvents: true } });
  const [first] = (await all(pages, ({ OperationEvents }) => OperationEvents))
    .filter(({ OperationId }) => OperationId !== undefined && OperationId === operation?.OperationId)
    .toSorted((a, b) => Number(a.Timestamp) - Number(b.Timestamp));
  if (!first) return undefined;
  const { HookStatusReason, ValidationStatusReason } = first;
  const reason =
    first.ResourceStatusReason ?? HookStatusReason ?? ValidationStatusReason ?? 'no reason given';
  return `${first.LogicalResourceId ?? name}: ${reason}`;
}

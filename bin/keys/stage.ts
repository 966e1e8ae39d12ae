import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { STSClientConfig } from '@aws-sdk/client-sts';
import { awsEndpointPath } from '../../infra/local/aws-endpoint.ts';
import { operatorAt } from '../../infra/local/template/account.ts';
import { outputNames, type StageName, stackName, stageNames } from '../../infra/settings/stage-names.ts';
import { ApiKeyStore } from './api-key-store.ts';
import { OperatorError } from './operator-error.ts';

/** Where the keys are that an operator means: of a deployed stage, or of the local API on a port. */
export interface StageChoice {
  readonly stage: StageName | 'local';
  readonly port: number;
  /** A table of keys in place of the stack's own: one that was restored, say. */
  readonly table?: string;
}

/** An opened stage. */
export interface OpenStage {
  readonly name: StageName;
  readonly keys: ApiKeyStore;
  /** The keys of another table. */
  keysOf(table: string): ApiKeyStore;
  /** The ARN of who runs the command. */
  caller(): Promise<string | undefined>;
}

/**
 * Finds the keys of a stage through the outputs of its stack, or in the table that is chosen.
 *
 * @throws {OperatorError} when the stage is not deployed
 */
export async function openStage({ stage, port, table }: StageChoice): Promise<OpenStage> {
  const isLocal = stage === 'local';
  const config = isLocal ? operatorAt(`http://127.0.0.1:${port}${awsEndpointPath}`) : {};

  const deployed = isLocal ? undefined : stackName(stage);
  const stack = await describeStack(new CloudFormationClient(config), deployed);
  const ownTable = stack?.Outputs?.find(
    ({ OutputKey }) => OutputKey === outputNames.apiKeysTable,
  )?.OutputValue;
  const name = stageNames.find((candidate) => stackName(candidate) === stack?.StackName);
  if (ownTable === undefined || name === undefined) {
    throw new OperatorError(`The stage ${stage} is not deployed here: run npx cdk deploy ${deployed} first.`);
  }
  const dynamodb = new DynamoDBClient(config);
  const keysOf = (tableName: string) => new ApiKeyStore(dynamodb, tableName, name);
  return { name, keys: keysOf(table ?? ownTable), keysOf, caller: () => callerOf(config) };
}

/** Not every command asks, and not every one should load what it takes. */
async function callerOf(config: STSClientConfig): Promise<string | undefined> {
  const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
  return (await new STSClient(config).send(new GetCallerIdentityCommand())).Arn;
}

async function describeStack(
  cloudformation: CloudFormationClient,
  StackName?: string,
): Promise<Stack | undefined> {
  try {
    const { Stacks } = await cloudformation.send(new DescribeStacksCommand({ StackName }));
    return Stacks?.[0];
  } catch (error) {
    // That is how CloudFormation says that there is no such stack.
    if (error instanceof Error && error.name === 'ValidationError') return undefined;
    throw error;
  }
}

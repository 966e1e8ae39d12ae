import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { awsEndpointPath } from '../../infra/local/aws-endpoint.ts';
import { operatorAt } from '../../infra/local/template/account.ts';
import { outputNames, type StageName, stackName, stageNames } from '../../infra/stage-names.ts';
import { ApiKeyStore } from './api-key-store.ts';
import { OperatorError } from './operator-error.ts';

/** Where the keys are that an operator means: of a deployed stage, or of the local API on a port. */
export interface StageChoice {
  readonly stage: StageName | 'local';
  readonly port: number;
}

/** An opened stage. */
export interface OpenStage {
  readonly name: StageName;
  readonly keys: ApiKeyStore;
}

/**
 * Finds the keys of a stage through the outputs of its stack.
 *
 * @throws {OperatorError} when the stage is not deployed
 */
export async function openStage({ stage, port }: StageChoice): Promise<OpenStage> {
  const isLocal = stage === 'local';
  const config = isLocal ? operatorAt(`http://127.0.0.1:${port}${awsEndpointPath}`) : {};

  const deployed = isLocal ? undefined : stackName(stage);
  const stack = await describeStack(new CloudFormationClient(config), deployed);
  const tableName = stack?.Outputs?.find(
    ({ OutputKey }) => OutputKey === outputNames.apiKeysTable,
  )?.OutputValue;
  const name = stageNames.find((candidate) => stackName(candidate) === stack?.StackName);
  if (tableName === undefined || name === undefined) {
    throw new OperatorError(`The stage ${stage} is not deployed here: run npx cdk deploy ${deployed} first.`);
  }
  return { name, keys: new ApiKeyStore(new DynamoDBClient(config), tableName, name) };
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

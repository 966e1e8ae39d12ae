import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { apiKeysOutput } from '../../infra/stack-names.ts';
import { findStage, type StageChoice } from '../cli/find-stage.ts';
import { ApiKeyStore } from './api-key-store.ts';

export type OpenStage = Awaited<ReturnType<typeof openStage>>;

/** Opens a stage's keys. */
export async function openStage(choice: StageChoice) {
  const { name, config, baseUrl, output } = await findStage(choice);
  const keys = new ApiKeyStore(new DynamoDBClient(config), output(apiKeysOutput), name);
  /** Returns the ARN of the caller. The STS client is loaded on demand: some commands do not need it. */
  async function caller(): Promise<string | undefined> {
    const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
    return (await new STSClient(config).send(new GetCallerIdentityCommand())).Arn;
  }
  return { name, baseUrl, keys, caller };
}

import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { apiKeysOutput, localStage, stackName, stageOf } from '../../infra/stack-names.ts';
import { apiVersion } from '../../shared/service.ts';
import { awsProxyConfig } from '../cli/proxy.ts';
import { defaultPort } from '../local/default-address.ts';
import { awsEndpointPath } from '../local-api/aws-endpoint.ts';
import { operatorClientConfig } from '../local-api/template/account.ts';
import { ApiKeyStore } from './api-key-store.ts';

/** The stage to operate on: a deployed one, or the local API on a port, by default BASE_URL's. */
export interface StageChoice {
  readonly stage: string;
  readonly port?: number;
  /** Replaces the stage's own table of keys, for example with a restored one. */
  readonly table?: string;
}

export type OpenStage = Awaited<ReturnType<typeof openStage>>;

/** Opens a stage's keys, in its stack's table unless another is chosen. */
export async function openStage({ stage, port = localPort(), table }: StageChoice) {
  const isLocal = stage === localStage;
  if (isLocal && port === undefined) {
    throw new Error('BASE_URL is not the local API: pass --stage with the name of the deployed stage.');
  }
  const config = isLocal
    ? operatorClientConfig(`http://127.0.0.1:${port}${awsEndpointPath}`)
    : awsProxyConfig();
  const StackName = isLocal ? undefined : stackName(stage);
  const { Stacks } = await new CloudFormationClient(config)
    .send(new DescribeStacksCommand({ StackName }))
    .catch((error: unknown) => {
      // CloudFormation's error for a missing stack. Locally, any error means no API responds.
      if (isLocal || (error instanceof Error && error.name === 'ValidationError')) return { Stacks: [] };
      throw error;
    });
  const [stack] = Stacks ?? [];
  const name = stageOf(stack?.StackName ?? '');
  const outputs = Object.fromEntries(
    stack?.Outputs?.map((output) => [output.OutputKey, output.OutputValue]) ?? [],
  );
  const ownTable = outputs[apiKeysOutput];
  if (name === undefined || ownTable === undefined) {
    if (isLocal) throw new Error(`No local API responds on port ${port}: run npm start, or set BASE_URL.`);
    throw new Error(`The stage ${stage} is not deployed here: npm run stage -- check ${stage} says how.`);
  }

  const dynamodb = new DynamoDBClient(config);
  const keysOf = (tableName: string) => new ApiKeyStore(dynamodb, tableName, name);
  /** Returns the ARN of the caller. The STS client is loaded on demand: some commands do not need it. */
  async function caller(): Promise<string | undefined> {
    const { GetCallerIdentityCommand, STSClient } = await import('@aws-sdk/client-sts');
    return (await new STSClient(config).send(new GetCallerIdentityCommand())).Arn;
  }
  /** The address that clients call. */
  const baseUrl = isLocal ? `http://127.0.0.1:${port}/${apiVersion}` : outputs['BaseUrl'];
  return { name, baseUrl, keys: keysOf(table ?? ownTable), keysOf, caller };
}

const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

/** Returns the local API's port from BASE_URL, or undefined if BASE_URL is not local. */
function localPort(): number | undefined {
  const baseUrl = process.env['BASE_URL'];
  if (!baseUrl) return defaultPort;
  const url = URL.parse(baseUrl);
  const isLocal = url?.protocol === 'http:' && loopbackHosts.includes(url.hostname);
  return isLocal && url.port !== '' ? Number(url.port) : undefined;
}

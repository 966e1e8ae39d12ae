import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { localStage, stackName, stageOf } from '../../infra/stack-names.ts';
import { apiVersion } from '../../shared/service.ts';
import { awsEndpointPath } from '../local-api/aws-endpoint.ts';
import { operatorClientConfig } from '../local-api/template/account.ts';
import { defaultPort } from './default-address.ts';
import { awsProxyConfig } from './proxy.ts';

/** The stage to operate on: a deployed one, or the local API on a port, by default BASE_URL's. */
export interface StageChoice {
  readonly stage: string;
  readonly port?: number;
}

/**
 * Finds a stage: its name, the outputs of its stack, and the settings of AWS clients that reach it.
 *
 * @throws {Error} if it is not deployed, or no local API responds
 */
export async function findStage({ stage, port = localPort() }: StageChoice) {
  const isLocal = stage === localStage;
  if (isLocal && port === undefined) {
    throw new Error('BASE_URL is not the local API: pass the name of the deployed stage.');
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
  if (name === undefined) {
    if (isLocal) throw new Error(`No local API responds on port ${port}: run npm start, or set BASE_URL.`);
    throw new Error(`The stage ${stage} is not deployed here: docs/deploying.md says how.`);
  }
  const outputs = new Map(stack?.Outputs?.map(({ OutputKey, OutputValue }) => [OutputKey, OutputValue]));
  const address = isLocal ? `http://127.0.0.1:${port}/${apiVersion}` : outputs.get('BaseUrl');
  return {
    name,
    config,
    /** The address that clients call, if a shell takes it as it is. */
    baseUrl:
      address !== undefined && /^https?:\/\/[\w.:-]{1,260}\/\w{1,9}$/.test(address) ? address : undefined,
    /**
     * Returns what an output of the stack says.
     *
     * @throws {Error} if the stack has no such output: its first deploy failed
     */
    output(key: string): string {
      const value = outputs.get(key);
      if (value !== undefined) return value;
      throw new Error(`The stage ${stage} is not deployed here: docs/deploying.md says how.`);
    },
  };
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

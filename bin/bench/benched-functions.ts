import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { bundle } from '../../infra/service/bundle.ts';
import { examplesOf, queriesOf } from '../../shared/contract/example-parameters.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/service.ts';
import { handlerOf } from '../../test/support/contract/own-operations.ts';
import { eventOf } from '../../test/support/functions/invoke.ts';
import { synthesizeIn } from '../../test/support/infra/synthesize.ts';
import { clocks, spawnLocalApi } from '../local/test/support/spawn-local-api.ts';
import { project } from '../local/this-project.ts';
import { awsEndpointPath } from '../local-api/aws-endpoint.ts';
import { account, arn } from '../local-api/template/account.ts';
import { readDeployment } from '../local-api/template/deployment.ts';

/** A function as it is deployed, ready to be started, and an event for which it succeeds. */
export interface BenchedFunction {
  readonly name: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Arguments of Node.js. */
  readonly execArgv: readonly string[];
  readonly event: object;
}

const all = Object.values<Operation>(operations);

/** Returns the event of a request with the examples; a list has its last filter. */
function eventWithExamples(operation: Operation): object {
  const { method, parameters, body } = operation;
  return eventOf({
    method,
    pathParameters: examplesOf(parameters.path),
    query: `${new URLSearchParams(queriesOf(operation).at(-1))}`,
    ...(body && { body: stringifyJson(body.example) }),
  });
}

/** Builds each function as it is deployed, with the tables of a local API, until it is disposed of. */
export async function benchedFunctions() {
  // A function whose clock differs from DynamoDB's by minutes repeats each call that DynamoDB rejects. Another
  // clock than the machine's makes each start slower, and is needed only once an operation responds 410.
  const isGone = ({ deprecation }: Operation) => deprecation && Date.parse(deprecation.sunset) <= Date.now();
  const clock = all.some(isGone) ? 'before sunset' : 'real';
  const execArgv = clocks[clock];
  const api = await spawnLocalApi(['--pets', '100'], { clock });
  const authorizationToken = `Bearer ${api.apiKey}`;
  const methodArn = arn('execute-api', 'api/v1/GET/pets');
  const events = {
    ...Object.fromEntries(all.map((operation) => [handlerOf(operation), eventWithExamples(operation)])),
    'functions/authorizer.ts': { type: 'TOKEN', authorizationToken, methodArn },
  };

  const builds = mkdtempDisposableSync(join(tmpdir(), 'pet-store-bench-'));
  const stack = synthesizeIn(join(builds.path, 'cdk.out'), 'staging');
  const environment = {
    ...Object.assign({}, ...readDeployment(stack, project).functions.map((declared) => declared.environment)),
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: 'function',
    AWS_SECRET_ACCESS_KEY: 'none',
    AWS_SESSION_TOKEN: 'none',
    AWS_ENDPOINT_URL: new URL(awsEndpointPath, api.baseUrl).href,
  };

  const functions = Object.entries(events).map(([handler, event]) => {
    const name = basename(handler, '.ts');
    const directory = join(builds.path, name);
    bundle(handler, directory);
    return { name, directory, environment, execArgv, event } satisfies BenchedFunction;
  });
  return {
    functions,
    async [Symbol.asyncDispose]() {
      builds.remove();
      await api[Symbol.asyncDispose]();
    },
  };
}

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { ApiKeyStore } from '../../bin/keys/api-key-store.ts';
import { outputNames } from '../stage-names.ts';
import { accessLogLine } from './api-gateway/access-log.ts';
import { Gateway } from './api-gateway/gateway.ts';
import { awsEndpointPath, createAwsEndpoint } from './aws-endpoint.ts';
import { createTables } from './dynamodb/create-tables.ts';
import { closeDataDirectory, openDataDirectory } from './dynamodb/data-directory.ts';
import { guardTables, startDynamodb } from './dynamodb/embedded-dynamodb.ts';
import { repairTables } from './dynamodb/repair-tables.ts';
import { createHttpServer, type RequestRecord } from './http-server.ts';
import { Invoker } from './lambda/invoker.ts';
import type { FunctionSettings } from './lambda/local-function.ts';
import { closeGracefully, listen } from './listen.ts';
import { docsPages } from './pages.ts';
import { account, operatorAt } from './template/account.ts';
import { readDeployment } from './template/deployment.ts';
import type { SynthesizedStack } from './template/synthesize.ts';

export interface LocalApiOptions {
  /** The port; 0 asks for any free one. */
  readonly port: number;
  /** The folder that keeps the tables; without it they are in memory. */
  readonly dataDirectory?: string | undefined;
  /** Tables that are open already, for one local API after another, instead of those of a folder. */
  readonly tables?: OpenTables | undefined;
  /** A key issued earlier, instead of another one. */
  readonly apiKey?: string | undefined;
  readonly functions?: FunctionSettings;
  readonly onRequest?: (record: RequestRecord) => void;
}

/** Tables that `startTables` serves. */
export interface OpenTables {
  readonly endpoint: string;
  /** Whether the process that had them last was killed, and they were not repaired since. */
  readonly wasKilled: boolean;
}

/** A local API that is ready. */
export interface LocalApi {
  readonly baseUrl: string;
  /** A key of the client `local`. */
  readonly apiKey: string;
  /** The API reference. */
  readonly docsUrl: string;
  /** Answers the requests under way, then stops with everything written. */
  close(): Promise<void>;
}

/**
 * Serves a synthesized stack on this machine.
 *
 * @throws {Error} when the port is taken, or naming what the stack has that the local API does not know
 */
export async function startLocalApi(stack: SynthesizedStack, options: LocalApiOptions): Promise<LocalApi> {
  const deployment = readDeployment(stack);
  const { dataDirectory, tables } = options;
  // What has been started ends in the opposite order, also when the rest can't be.
  await using started = new AsyncDisposableStack();
  const data = dataDirectory === undefined ? tables : await openDataDirectory(dataDirectory);
  let isWhole = !data?.wasKilled;
  started.defer(() => {
    if (dataDirectory !== undefined && isWhole) closeDataDirectory(dataDirectory);
  });
  const statementsOf = (role: string) => deployment.roles.get(role);
  const dynamodb = await (tables
    ? guardTables(tables.endpoint, statementsOf)
    : startDynamodb(statementsOf, dataDirectory));
  started.defer(dynamodb.close);
  const client = new DynamoDBClient(operatorAt(dynamodb.endpoint));
  await createTables(client, deployment.tables);
  if (!isWhole) await repairTables(client, deployment.tables);
  isWhole = true;

  const environmentOf = (role: string) => ({
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: role,
    AWS_SECRET_ACCESS_KEY: 'none',
    AWS_ENDPOINT_URL: dynamodb.endpoint,
  });
  const invoker = new Invoker(deployment, environmentOf, options.functions);
  started.defer(() => invoker.close());
  const pages = new Map([
    [`POST ${awsEndpointPath}`, createAwsEndpoint(deployment.stack, dynamodb.endpoint)],
  ]);
  const server = createHttpServer(
    {
      gateway: new Gateway(deployment, invoker),
      toAccessLogLine: accessLogLine(deployment.accessLogFormat),
      pages,
    },
    options.onRequest ?? (() => undefined),
  );
  const origin = `http://127.0.0.1:${await listen(server, options.port)}`;
  started.defer(() => closeGracefully(server));
  const baseUrl = `${origin}/${deployment.stageName}`;

  const keys = new ApiKeyStore(client, deployment.stack.outputs[outputNames.apiKeysTable] ?? '', stack.stage);
  const { apiKey = (await keys.issue({ client: 'local' })).key } = options;
  client.destroy();
  for (const [route, page] of docsPages({ baseUrl, apiKey })) pages.set(route, page);

  const running = started.move();
  return { baseUrl, apiKey, docsUrl: `${origin}/`, close: () => running.disposeAsync() };
}

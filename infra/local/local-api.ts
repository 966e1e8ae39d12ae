import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { accessLogLine } from './api-gateway/access-log.ts';
import { Gateway } from './api-gateway/gateway.ts';
import { awsEndpointPath, createAwsEndpoint } from './aws-endpoint.ts';
import { createTables } from './dynamodb/create-tables.ts';
import { closeDataDirectory, openDataDirectory } from './dynamodb/data-directory.ts';
import { createDynamodbServer } from './dynamodb/dynamodb-server.ts';
import { EmbeddedDynamodb } from './dynamodb/embedded-dynamodb.ts';
import { RemoteDynamodb } from './dynamodb/remote-dynamodb.ts';
import { repairTables } from './dynamodb/repair-tables.ts';
import { withPolicies } from './dynamodb/with-policies.ts';
import { closeGracefully, listen } from './http/listen.ts';
import { listenOnSocket, socketAgent } from './http/unix-socket.ts';
import { createHttpServer, type RequestRecord } from './http-server.ts';
import { Invoker } from './lambda/invoker.ts';
import type { FunctionSettings } from './lambda/local-function.ts';
import { docsPages } from './pages.ts';
import { account, operatorAt } from './template/account.ts';
import { readDeployment } from './template/deployment.ts';
import type { SynthesizedStack } from './template/synthesize.ts';

export interface LocalApiOptions {
  /** The port; 0 stands for any free one. */
  readonly port: number;
  /** The folder that keeps the tables; without it they are in memory. */
  readonly dataDirectory?: string | undefined;
  /** Tables that are open already, in another process, instead of those of a folder. */
  readonly tables?: OpenTables | undefined;
  readonly functions?: FunctionSettings;
  readonly onRequest?: (record: RequestRecord) => void;
}

/** An embedded DynamoDB that outlives a local API. */
export interface OpenTables {
  /** That of its socket. */
  readonly url: string;
  /** Whether the process that had them last was killed, and they were not repaired since. */
  readonly wasKilled: boolean;
}

/** A local API that is ready. */
export interface LocalApi {
  readonly baseUrl: string;
  readonly port: number;
  /** The API reference, once it is served. */
  readonly docsUrl: string;
  /** Serves the API reference, ready to try the API with a key. */
  serveReference(apiKey: string): void;
  /** Responds to the requests under way, then stops with everything written. */
  close(): Promise<void>;
}

/**
 * Serves a synthesized stack on this machine.
 *
 * @throws {Error} when the port is taken, or naming what the stack has that the local API does not know
 */
export async function startLocalApi(stack: SynthesizedStack, options: LocalApiOptions): Promise<LocalApi> {
  const deployment = readDeployment(stack);
  const { dataDirectory } = options;
  // What has been started is closed in reverse order, also when something later fails to start.
  await using started = new AsyncDisposableStack();
  const data = dataDirectory === undefined ? undefined : await openDataDirectory(dataDirectory);
  let isWhole = !(data ?? options.tables)?.wasKilled;
  started.defer(() => {
    if (dataDirectory !== undefined && isWhole) closeDataDirectory(dataDirectory);
  });
  const tables = options.tables ? new RemoteDynamodb(options.tables.url) : new EmbeddedDynamodb(data?.tables);
  started.defer(() => tables.close());
  const dynamodb = withPolicies(tables, (role) => deployment.roles.get(role));
  const socket = await listenOnSocket(createDynamodbServer(dynamodb));
  started.defer(socket.close);
  const agent = socketAgent();
  const client = new DynamoDBClient({ ...operatorAt(socket.url), requestHandler: { httpAgent: agent } });
  started.defer(() => agent.destroy());
  await createTables(client, deployment.tables);
  if (!isWhole) await repairTables(client, deployment.tables);
  isWhole = true;

  const environmentOf = (role: string) => ({
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: role,
    AWS_SECRET_ACCESS_KEY: 'none',
    AWS_ENDPOINT_URL: socket.url,
  });
  const invoker = new Invoker(deployment, environmentOf, options.functions);
  started.defer(() => invoker.close());
  const pages = new Map([[`POST ${awsEndpointPath}`, createAwsEndpoint(deployment.stack, dynamodb)]]);
  const server = createHttpServer(
    {
      gateway: new Gateway(deployment, invoker),
      toAccessLogLine: accessLogLine(deployment.accessLogFormat),
      pages,
    },
    options.onRequest ?? (() => undefined),
  );
  const port = await listen(server, options.port);
  started.defer(() => closeGracefully(server));
  const origin = `http://127.0.0.1:${port}`;
  const baseUrl = `${origin}/${deployment.stageName}`;

  const running = started.move();
  return {
    baseUrl,
    port,
    docsUrl: `${origin}/`,
    serveReference(apiKey) {
      for (const [route, page] of docsPages({ baseUrl, apiKey })) pages.set(route, page);
    },
    close: () => running.disposeAsync(),
  };
}

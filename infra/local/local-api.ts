import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { apiKeyHash, generateApiKey } from '../../shared/api-key.ts';
import { putApiKey } from '../../shared/api-keys-table.ts';
import { account } from './account.ts';
import { createTables } from './create-tables.ts';
import { readDeployment } from './deployment.ts';
import { startDynamodb } from './embedded-dynamodb.ts';
import { Gateway } from './gateway.ts';
import { createHttpServer, type RequestRecord } from './http-server.ts';
import { Invoker } from './invoker.ts';
import { closeGracefully, listen } from './listen.ts';
import type { SynthesizedStack } from './synthesize.ts';

export interface LocalApiOptions {
  /** The port; 0 asks for any free one. */
  readonly port: number;
  /** The folder that keeps the tables; without it they are in memory. */
  readonly dataDirectory?: string | undefined;
  readonly onRequest?: (record: RequestRecord) => void;
}

/** A local API that is ready. */
export interface LocalApi {
  readonly baseUrl: string;
  /** A key of the client `local`, issued when the API started. */
  readonly apiKey: string;
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
  const dynamodb = await startDynamodb((role) => deployment.roles.get(role), options.dataDirectory);
  const client = new DynamoDBClient({
    endpoint: dynamodb.endpoint,
    region: account.region,
    credentials: { accessKeyId: 'operator', secretAccessKey: 'none' },
  });
  await createTables(client, deployment.tables);
  const apiKey = generateApiKey(stack.stage);
  await putApiKey(client, deployment.apiKeysTable, apiKeyHash(apiKey), {
    client: 'local',
    createdAt: Math.floor(Date.now() / 1000),
  });
  client.destroy();

  const invoker = new Invoker(deployment, (role) => ({
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: role,
    AWS_SECRET_ACCESS_KEY: 'none',
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
  }));
  const server = createHttpServer(new Gateway(deployment, invoker), options.onRequest ?? (() => undefined));
  const port = await listen(server, options.port);

  return {
    baseUrl: `http://127.0.0.1:${port}/${deployment.stageName}`,
    apiKey,
    async close() {
      await closeGracefully(server);
      await invoker.close();
      await dynamodb.close();
    },
  };
}

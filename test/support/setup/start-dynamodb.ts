import { awsEndpointPath, createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { openTables } from '../../../infra/local/dynamodb/data-directory.ts';
import { embeddedDynamodb } from '../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { HttpServer } from '../../../infra/local/http-server.ts';

/** An embedded DynamoDB for tests, at an AWS endpoint like that of the local API. */
export interface TestDynamodb {
  readonly endpoint: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts an embedded DynamoDB, its tables in a data directory, or in memory. */
export async function startDynamodb({
  directory,
  stack = { name: '', outputs: {} },
}: {
  readonly directory?: string;
  readonly stack?: { readonly name: string; readonly outputs: Readonly<Record<string, string>> };
} = {}): Promise<TestDynamodb> {
  const tables = await openTables(directory);
  const server = new HttpServer(() => undefined);
  server.pages.set(`POST ${awsEndpointPath}`, createAwsEndpoint(stack, embeddedDynamodb(tables)));
  const port = await server.listen();
  return {
    endpoint: `http://127.0.0.1:${port}${awsEndpointPath}`,
    port,
    async close() {
      await server.close();
      await tables.close();
    },
  };
}

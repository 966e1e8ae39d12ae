import { awsEndpointPath, createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { openTables } from '../../../infra/local/dynamodb/data-directory.ts';
import { embeddedDynamodb } from '../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { HttpServer } from '../../../infra/local/http-server.ts';

interface Options {
  readonly directory?: string;
  readonly stack?: Parameters<typeof createAwsEndpoint>[0];
}

/** Starts an embedded DynamoDB at an AWS endpoint, as the local API has; tables are in memory by default. */
export async function startDynamodb({ directory, stack = { name: '', outputs: {} } }: Options = {}) {
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

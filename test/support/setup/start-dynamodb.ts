import { awsEndpointPath, createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { openTables } from '../../../infra/local/dynamodb/data-directory.ts';
import { embeddedDynamodb } from '../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { createHttpServer } from '../../../infra/local/http-server.ts';

/** Starts an embedded DynamoDB at an AWS endpoint like the local API's, with its tables in memory. */
export async function startDynamodb(stack = { name: '', outputs: {} }) {
  const tables = await openTables();
  const server = createHttpServer();
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

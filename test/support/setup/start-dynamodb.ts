import { awsEndpointPath, createAwsEndpoint } from '../../../bin/local-api/aws-endpoint.ts';
import { dynaliteTables } from '../../../bin/local-api/dynamodb/dynalite-tables.ts';
import { embeddedDynamodb } from '../../../bin/local-api/dynamodb/embedded-dynamodb.ts';
import { createHttpServer } from '../../../bin/local-api/http/http-server.ts';

/** Starts an embedded DynamoDB at an AWS endpoint like the local API's. */
export async function startDynamodb(
  stack = { name: '', outputs: {} },
  dynamodb = embeddedDynamodb(dynaliteTables()),
) {
  const server = createHttpServer({ foreignBody: '' });
  server.endpoints.set(`* ${awsEndpointPath}`, createAwsEndpoint({ stack: () => stack, dynamodb }));
  const port = await server.listen();
  return {
    endpoint: `http://127.0.0.1:${port}${awsEndpointPath}`,
    port,
    close: server.close,
  };
}

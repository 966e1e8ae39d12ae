import { createDynamodbServer } from '../../../infra/local/dynamodb/dynamodb-server.ts';
import { EmbeddedDynamodb } from '../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { type StatementsOf, withPolicies } from '../../../infra/local/dynamodb/with-policies.ts';
import { close, listen } from '../../../infra/local/http/listen.ts';

/** An embedded DynamoDB for tests: unlike that of the local API it listens on a port. */
export interface TestDynamodb {
  readonly endpoint: string;
  close(): Promise<void>;
}

/** Starts an embedded DynamoDB, its tables in `directory`, or in memory without one. */
export async function startDynamodb(statementsOf: StatementsOf, directory?: string): Promise<TestDynamodb> {
  const dynamodb = new EmbeddedDynamodb(directory);
  const server = createDynamodbServer(withPolicies(dynamodb, statementsOf));
  const port = await listen(server);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async close() {
      await close(server);
      await dynamodb.close();
    },
  };
}

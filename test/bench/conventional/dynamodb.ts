import {
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  type GetItemInput,
  PutItemCommand,
  type PutItemInput,
  QueryCommand,
  type QueryInput,
  ScanCommand,
  type ScanInput,
} from '@aws-sdk/client-dynamodb';

// What shared/dynamodb.ts exports, as most projects have it: the client of the AWS SDK with its defaults.
const client = new DynamoDBClient();

interface Inputs {
  GetItem: GetItemInput;
  PutItem: PutItemInput;
  Query: QueryInput;
  Scan: ScanInput;
}

const calls: { readonly [Operation in keyof Inputs]: (input: Inputs[Operation]) => Promise<object> } = {
  GetItem: (input) => client.send(new GetItemCommand(input)),
  PutItem: (input) => client.send(new PutItemCommand(input)),
  Query: (input) => client.send(new QueryCommand(input)),
  Scan: (input) => client.send(new ScanCommand(input)),
};

export async function dynamodb<Operation extends keyof Inputs>(
  operation: Operation,
  input: Inputs[Operation],
): Promise<object> {
  return calls[operation](input);
}

export { DynamoDBServiceException as DynamodbError };

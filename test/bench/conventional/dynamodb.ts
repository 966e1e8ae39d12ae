import {
  DynamoDBClient,
  DynamoDBServiceException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { Inputs } from '../../../shared/lambda/dynamodb.ts';

// What shared/dynamodb.ts exports, as most projects have it: the client of the AWS SDK with its defaults.
const client = new DynamoDBClient();

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

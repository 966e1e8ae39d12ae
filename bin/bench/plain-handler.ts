import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  type GetCommandInput,
  PutCommand,
  type PutCommandInput,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
  type ScanCommandInput,
} from '@aws-sdk/lib-dynamodb';

/** A call to DynamoDB, and which fields of its items to send. */
type PlainEvent = { readonly fields?: string[] } & (
  | { readonly action: 'GetItem'; readonly input: GetCommandInput }
  | { readonly action: 'Query'; readonly input: QueryCommandInput }
  | { readonly action: 'Scan'; readonly input: ScanCommandInput }
  | { readonly action: 'PutItem'; readonly input: PutCommandInput }
);

const client = DynamoDBDocumentClient.from(new DynamoDBClient());

/** Calls DynamoDB as somebody would who needs no checks, exact numbers, logs and time limits. */
export async function handler(event: PlainEvent) {
  const body = JSON.stringify(await itemsOf(event), event.fields);
  return { statusCode: 200, headers: { 'Content-Type': 'application/json' }, body };
}

async function itemsOf({ action, input }: PlainEvent): Promise<unknown> {
  switch (action) {
    case 'GetItem':
      return (await client.send(new GetCommand(input))).Item;
    case 'Query':
      return (await client.send(new QueryCommand(input))).Items;
    case 'Scan':
      return (await client.send(new ScanCommand(input))).Items;
    case 'PutItem':
      await client.send(new PutCommand(input));
      return input.Item;
  }
}

import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { apiKeysTable } from './table-definitions.ts';

const StoredInstant = v.pipe(
  v.object({ N: v.pipe(v.string(), v.regex(/^\d+$/)) }),
  v.transform(({ N }) => Number(N)),
);

const StoredApiKey = v.object({
  client: v.pipe(
    v.object({ S: v.string() }),
    v.transform(({ S }) => S),
  ),
  createdAt: StoredInstant,
  expiresAt: v.optional(StoredInstant),
  revokedAt: v.optional(StoredInstant),
});

/** What the table holds of an API key. Instants are seconds since 1970, as DynamoDB's time to live wants them. */
export type StoredApiKey = v.InferOutput<typeof StoredApiKey>;

/** Reads a key by its hash, consistently: a revocation counts from the moment it is written. */
export async function readApiKey(
  dynamodb: DynamoDBClient,
  tableName: string,
  keyHash: string,
): Promise<StoredApiKey | undefined> {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: tableName,
      Key: { [apiKeysTable.partitionKey]: { S: keyHash } },
      ConsistentRead: true,
    }),
  );
  return Item && v.parse(StoredApiKey, Item);
}

/** Stores a newly issued key under its hash. */
export async function putApiKey(
  dynamodb: DynamoDBClient,
  tableName: string,
  keyHash: string,
  { client, createdAt, expiresAt }: StoredApiKey,
): Promise<void> {
  await dynamodb.send(
    new PutItemCommand({
      TableName: tableName,
      Item: {
        [apiKeysTable.partitionKey]: { S: keyHash },
        client: { S: client },
        createdAt: { N: createdAt.toString() },
        ...(expiresAt !== undefined && { expiresAt: { N: expiresAt.toString() } }),
      },
    }),
  );
}

/** Whether a key opens the API at an instant, in seconds since 1970. */
export function isActive({ expiresAt, revokedAt }: StoredApiKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}

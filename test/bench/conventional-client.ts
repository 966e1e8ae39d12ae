import { type ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

// Replaces shared/lambda/dynamodb.ts with what most projects use: SDK clients with their defaults.
export const dynamodb = DynamoDBDocumentClient.from(new DynamoDBClient(), {
  unmarshallOptions: { wrapNumbers: BigInt },
});

export const existingItem = ({ Item = {} }: ConditionalCheckFailedException): unknown =>
  unmarshall(Item, { wrapNumbers: BigInt });

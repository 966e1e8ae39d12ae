import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { exactIntegers } from '../../../shared/lambda/exact-integers.ts';

/** The tests' own client of the embedded DynamoDB. */
export const dynamodb = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint: inject('dynamodbEndpoint') }),
  exactIntegers,
);

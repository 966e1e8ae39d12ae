import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { fromEnv } from '@aws-sdk/credential-provider-env';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ credentials: fromEnv() }));

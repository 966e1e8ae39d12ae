import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { apiKeysTable, petsTable } from '../../../shared/tables/table-definitions.ts';
import { createTables } from './create-tables.ts';

// Each test file has separate tables, and reads their names from the environment as a function does.
Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL: inject('dynamodbEndpoint'),
  STAGE: 'staging',
});

const suffix = randomUUID();
const tables = inject('tables').map((table) => ({ ...table, id: `${table.id}-${suffix}` }));
const nameOf = (partitionKey: string) =>
  tables.find(({ properties }) => properties.KeySchema[0]?.AttributeName === partitionKey)?.id;

const dynamodb = new DynamoDBClient();
await createTables(dynamodb, tables);
dynamodb.destroy();

process.env[petsTable.nameVariable] = nameOf(petsTable.partitionKey);
process.env[apiKeysTable.nameVariable] = nameOf(apiKeysTable.partitionKey);

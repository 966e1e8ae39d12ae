import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject, vi } from 'vitest';
import { largeTimeLimits } from '../functions/large-time-limits.ts';
import { createTables } from './create-tables.ts';

// Until a test file mocks it anew.
vi.doMock('../../../shared/lambda/time-limits.ts', () => ({ timeLimits: largeTimeLimits }));

// Each test file has separate tables, and reads their names from the environment as a function does.
Object.assign(process.env, {
  // The SDK prefers a profile of the shell to the keys below.
  AWS_PROFILE: '',
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
  AWS_ENDPOINT_URL: inject('dynamodbEndpoint'),
});

const suffix = randomUUID();
const tables = inject('tables').map((table) => ({ ...table, id: `${table.id}-${suffix}` }));
for (const [name, value] of Object.entries(inject('environment'))) {
  process.env[name] = tables.find(({ id }) => id === `${value}-${suffix}`)?.id ?? value;
}

const dynamodb = new DynamoDBClient();
await createTables(dynamodb, tables);
dynamodb.destroy();

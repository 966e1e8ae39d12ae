/** The environment variable with the URL of DynamoDB: the SDKs know it as well. */
export const dynamodbEndpointVariable = 'AWS_ENDPOINT_URL_DYNAMODB';

/** The keys of the tables and the environment variables that carry the tables' names to the functions. */
export const petsTable = {
  nameVariable: 'PETS_TABLE',
  partitionKey: 'id',
  statusIndex: { name: 'byStatus', partitionKey: 'status', sortKey: 'id' },
} as const;

export const apiKeysTable = {
  nameVariable: 'API_KEYS_TABLE',
  partitionKey: 'keyHash',
  timeToLive: 'purgeAt',
} as const;

/** The table of pets: its keys, and the environment variable that carries its name to the functions. */
export const petsTable = {
  nameVariable: 'PETS_TABLE',
  partitionKey: 'id',
  statusIndex: { name: 'byStatus', partitionKey: 'status', sortKey: 'id' },
} as const;

/** The table of API keys, and the attribute by which DynamoDB deletes them. */
export const apiKeysTable = {
  nameVariable: 'API_KEYS_TABLE',
  partitionKey: 'keyHash',
  timeToLive: 'purgeAt',
} as const;

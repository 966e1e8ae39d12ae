const byStatus = { name: 'byStatus', partitionKey: 'status', sortKey: 'id' } as const;

/** The table of pets: its keys, and the environment variable that carries its name to the functions. */
export const petsTable = {
  nameVariable: 'PETS_TABLE',
  partitionKey: 'id',
  /** All indexes. A deploy can create or delete only one: see CONTRIBUTING.md. */
  indexes: [byStatus],
  /** The index for the list by status. */
  statusIndex: byStatus,
} as const;

/** The table of API keys, and its time-to-live attribute. */
export const apiKeysTable = {
  nameVariable: 'API_KEYS_TABLE',
  partitionKey: 'keyHash',
  timeToLive: 'purgeAt',
} as const;

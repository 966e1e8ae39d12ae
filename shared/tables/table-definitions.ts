import type { PetFilter } from '../contract/schemas/list-pets-query.ts';

/** The attributes of a key with their types in DynamoDB: the partition key, then any sort key. */
export type Key = Readonly<Record<string, 'N' | 'S'>>;

/**
 * The most bytes of a text in a key, which cannot be empty either.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-partition-sort-keys
 */
export const maxKeyBytes = { partition: 2048, sort: 1024 } as const;

/** A table as data, from which its declaration, permissions, environment, monitoring and output follow. */
export interface TableDefinition {
  /** The environment variable that carries its name to the functions that use it. */
  readonly nameVariable: string;
  readonly key: Key;
  /** The keys of all its indexes, by name. A deploy can create or delete only one: see CONTRIBUTING.md. */
  readonly indexes: Readonly<Record<string, Key>>;
  /** The attribute with the instant at which DynamoDB deletes an item. */
  readonly timeToLive?: string;
}

/** All tables. Settings name a restored table by its key in this map. */
export const tables = {
  pets: {
    nameVariable: 'PETS_TABLE',
    key: { id: 'N' },
    indexes: { byStatus: { status: 'S', id: 'N' } },
  },
  apiKeys: {
    nameVariable: 'API_KEYS_TABLE',
    key: { keyHash: 'S' },
    indexes: {},
    timeToLive: 'purgeAt',
  },
} as const satisfies Readonly<Record<string, TableDefinition>>;

export type TableId = keyof typeof tables;

/** The filters of the list of pets, each with the index whose partition key is the filter's field. */
export const petFilters: Readonly<Record<keyof PetFilter, keyof typeof tables.pets.indexes>> = {
  status: 'byStatus',
};

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../shared/contract/api-key.ts';
import { exactIntegers } from '../../shared/lambda/exact-integers.ts';
import { readApiKey, StoredApiKey } from '../../shared/tables/api-keys-table.ts';
import { parseItem } from '../../shared/tables/stored-items.ts';
import { apiKeysTable } from '../../shared/tables/table-definitions.ts';

/** How long a key is still listed after it has expired or been revoked, in seconds. */
const retentionSeconds = 90 * 24 * 60 * 60;

/** What an operator says of a new key. Instants are in seconds since 1970. */
export interface NewApiKey {
  readonly client: string;
  readonly expiresAt?: number | undefined;
  readonly note?: string | undefined;
}

/** The API keys of a stage. */
export class ApiKeyStore {
  readonly #dynamodb: DynamoDBDocumentClient;
  readonly #tableName: string;
  readonly #stage: string;

  constructor(dynamodb: DynamoDBClient, tableName: string, stage: string) {
    this.#dynamodb = DynamoDBDocumentClient.from(dynamodb, exactIntegers);
    this.#tableName = tableName;
    this.#stage = stage;
  }

  /** Issues a key. This is the only time that it is seen: the table gets its hash. */
  async issue({ client, expiresAt, note }: NewApiKey): Promise<{ key: string; keyId: string }> {
    const key = generateApiKey(this.#stage);
    const keyHash = apiKeyHash(key);
    await this.#dynamodb.send(
      new PutCommand({
        TableName: this.#tableName,
        Item: {
          [apiKeysTable.partitionKey]: keyHash,
          client,
          createdAt: Math.floor(Date.now() / 1000),
          ...(expiresAt !== undefined && {
            expiresAt,
            [apiKeysTable.timeToLive]: expiresAt + retentionSeconds,
          }),
          ...(note !== undefined && { note }),
        },
      }),
    );
    return { key, keyId: keyIdOf(keyHash) };
  }

  /** All keys of the stage, the newest first. */
  async list(): Promise<StoredApiKey[]> {
    const pages = paginateScan(
      { client: this.#dynamodb },
      { TableName: this.#tableName, ConsistentRead: true },
    );
    const keys: StoredApiKey[] = [];
    for await (const { Items = [] } of pages)
      keys.push(...Items.map((item) => parseItem(StoredApiKey, item)));
    return keys.sort((a, b) => b.createdAt - a.createdAt);
  }

  /** The key of a hash. */
  async find(keyHash: string): Promise<StoredApiKey | undefined> {
    return readApiKey(this.#dynamodb, this.#tableName, keyHash);
  }

  /** Lets a key expire at an instant. */
  async expire({ keyHash }: StoredApiKey, expiresAt: number): Promise<void> {
    await this.#end(keyHash, 'expiresAt', expiresAt);
  }

  /** Takes a key back at an instant. */
  async revoke({ keyHash }: StoredApiKey, revokedAt: number): Promise<void> {
    await this.#end(keyHash, 'revokedAt', revokedAt);
  }

  async #end(keyHash: string, attribute: 'expiresAt' | 'revokedAt', at: number): Promise<void> {
    await this.#dynamodb.send(
      new UpdateCommand({
        TableName: this.#tableName,
        Key: { [apiKeysTable.partitionKey]: keyHash },
        UpdateExpression: 'SET #end = :end, #purge = :purge',
        // Time to live may have taken the key meanwhile: it must not come back as half a key.
        ConditionExpression: `attribute_exists(${apiKeysTable.partitionKey})`,
        ExpressionAttributeNames: { '#end': attribute, '#purge': apiKeysTable.timeToLive },
        ExpressionAttributeValues: { ':end': at, ':purge': at + retentionSeconds },
      }),
    );
  }
}

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand, paginateScan, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../shared/contract/api-key.ts';
import { exactIntegers } from '../../shared/lambda/exact-integers.ts';
import { readApiKey, StoredApiKey } from '../../shared/tables/api-keys-table.ts';
import { parseItem } from '../../shared/tables/stored-items.ts';
import { apiKeysTable } from '../../shared/tables/table-definitions.ts';
import { OperatorError } from './operator-error.ts';

/** How long a key is still listed after it has expired or been revoked, in seconds. */
const retentionSeconds = 90 * 24 * 60 * 60;

/** What the table holds of a key for operators: besides what the authorizer reads, the ARNs of who issued and ended it. */
export const AuditedApiKey = v.object({
  ...StoredApiKey.entries,
  issuedBy: v.optional(v.string()),
  rotatedBy: v.optional(v.string()),
  revokedBy: v.optional(v.string()),
});
export type AuditedApiKey = v.InferOutput<typeof AuditedApiKey>;

/** What an operator says of a new key. Instants are in seconds since 1970. */
export interface NewApiKey {
  readonly client: string;
  readonly expiresAt?: number | undefined;
  readonly note?: string | undefined;
  /** The ARN of who issues it. */
  readonly issuedBy?: string | undefined;
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
  async issue({ client, expiresAt, note, issuedBy }: NewApiKey): Promise<{ key: string; keyId: string }> {
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
          ...(issuedBy !== undefined && { issuedBy }),
        },
      }),
    );
    return { key, keyId: keyIdOf(keyHash) };
  }

  /**
   * All keys of the stage, the newest first.
   *
   * @throws {OperatorError} when the table is another
   */
  async list(): Promise<AuditedApiKey[]> {
    const pages = paginateScan(
      { client: this.#dynamodb },
      { TableName: this.#tableName, ConsistentRead: true },
    );
    const keys: AuditedApiKey[] = [];
    for await (const { Items = [] } of pages) keys.push(...Items.map((item) => this.#parse(item)));
    return keys.sort((a, b) => b.createdAt - a.createdAt);
  }

  /** The key of a hash. */
  async find(keyHash: string): Promise<StoredApiKey | undefined> {
    return readApiKey(this.#dynamodb, this.#tableName, keyHash);
  }

  /** Lets a key expire at an instant; `rotatedBy` is the ARN of who has issued another one in its place. */
  async expire({ keyHash }: StoredApiKey, expiresAt: number, rotatedBy?: string): Promise<void> {
    await this.#end(keyHash, expiresAt, { expiresAt, rotatedBy });
  }

  /** Takes a key back at an instant; `revokedBy` is the ARN of who does. */
  async revoke({ keyHash }: StoredApiKey, revokedAt: number, revokedBy?: string): Promise<void> {
    await this.#end(keyHash, revokedAt, { revokedAt, revokedBy });
  }

  async #end(keyHash: string, at: number, ends: Readonly<Record<string, unknown>>): Promise<void> {
    const set = Object.entries({ ...ends, [apiKeysTable.timeToLive]: at + retentionSeconds }).filter(
      ([, value]) => value !== undefined,
    );
    await this.#dynamodb.send(
      new UpdateCommand({
        TableName: this.#tableName,
        Key: { [apiKeysTable.partitionKey]: keyHash },
        UpdateExpression: `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`,
        // Time to live may have taken the key meanwhile: it must not come back as half a key.
        ConditionExpression: `attribute_exists(${apiKeysTable.partitionKey})`,
        ExpressionAttributeNames: Object.fromEntries(set.map(([name]) => [`#${name}`, name])),
        ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
      }),
    );
  }

  #parse(item: unknown): AuditedApiKey {
    if (v.is(v.looseObject({ [apiKeysTable.partitionKey]: v.string() }), item))
      return parseItem(AuditedApiKey, item);
    throw new OperatorError(
      `The table ${this.#tableName} holds no API keys: give the name of one that does.`,
    );
  }
}

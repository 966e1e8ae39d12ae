import { ConditionalCheckFailedException, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { keyPrefixOf } from '../../infra/key-prefix.ts';
import {
  apiKeyHash,
  apiKeyTable,
  generateApiKey,
  keyIdOf,
  retentionDays,
  StoredApiKey,
} from '../../shared/keys/api-key.ts';
import { exactNumbers } from '../../shared/tables/dynamodb.ts';
import { nowInSeconds, StoredInstant } from '../../shared/tables/stored-item.ts';

const retentionSeconds = retentionDays * 24 * 60 * 60;

/** A client is a slug, so that its name can be printed anywhere. */
export const clientPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

const text = v.fallback(v.optional(v.string()), undefined);
const instant = v.fallback(v.optional(StoredInstant), undefined);

/** The attributes that operators see, including callers' ARNs. Attributes of the wrong type are omitted. */
const KeyAttributes = v.object({
  keyHash: v.string(),
  client: v.fallback(v.optional(v.pipe(v.string(), v.regex(clientPattern))), undefined),
  ...v.entriesFromList(['note', 'issuedBy', 'rotatedBy', 'revokedBy'], text),
  ...v.entriesFromList(['createdAt', 'expiresAt', 'revokedAt'], instant),
});

/** A row of the table. The authorizer cannot read a damaged one, so its key is not valid. */
export type KeyRow = v.InferOutput<typeof KeyAttributes> & { readonly isDamaged: boolean };

/** A key to issue. Its expiry is in seconds since 1970; `issuedBy` is the ARN of the caller. */
type NewApiKey = { readonly client: string } & Pick<KeyRow, 'expiresAt' | 'note' | 'issuedBy'>;

/** Reads and writes a stage's keys for its operators. */
export class ApiKeyStore {
  readonly #tableName: string;
  readonly #dynamodb: DynamoDBDocumentClient;
  readonly #stage: string;

  constructor(dynamodb: DynamoDBClient, tableName: string, stage: string) {
    this.#dynamodb = DynamoDBDocumentClient.from(dynamodb, {
      ...exactNumbers,
      marshallOptions: { removeUndefinedValues: true },
    });
    this.#tableName = tableName;
    this.#stage = stage;
  }

  /** Issues a key, which is available only here: the table stores its hash. */
  async issue({ client, expiresAt, ...others }: NewApiKey) {
    const key = generateApiKey(keyPrefixOf(this.#stage));
    const keyHash = apiKeyHash(key);
    const purgeAt = expiresAt && expiresAt + retentionSeconds;
    const created = { keyHash, client, createdAt: nowInSeconds(), expiresAt, ...others };
    const Item = { ...created, [apiKeyTable.timeToLive]: purgeAt };
    await this.#dynamodb.send(new PutCommand({ TableName: this.#tableName, Item }));
    return { key, keyId: keyIdOf(keyHash), client, expiresAt };
  }

  /** Lists the stage's keys. */
  async list(): Promise<KeyRow[]> {
    const scan = { TableName: this.#tableName, ConsistentRead: true };
    const pages = await Array.fromAsync(paginateScan({ client: this.#dynamodb }, scan));
    return pages.flatMap(({ Items = [] }) => Items.map((item) => parseRow(item)));
  }

  async find(keyHash: string): Promise<KeyRow | undefined> {
    const { Item } = await this.#dynamodb.send(
      new GetCommand({ TableName: this.#tableName, Key: { keyHash }, ConsistentRead: true }),
    );
    return Item && parseRow(Item);
  }

  /** Finds a key by its id, among all. */
  async findById(keyId: string): Promise<KeyRow> {
    const found = (await this.list()).find(({ keyHash }) => keyIdOf(keyHash) === keyId);
    if (found) return found;
    throw new Error(`There is no key ${keyId} in ${this.#stage}: run list to see the key ids.`);
  }

  /** Expires a key at an instant, unless it expires earlier or is revoked. `by` issued its successor. */
  expire(keyHash: string, at: number, by?: string): Promise<KeyRow> {
    const isCloser = 'AND (attribute_not_exists(expiresAt) OR expiresAt >= :at)';
    return this.#end(keyHash, at, by, 'expiresAt = :at, rotatedBy = :by', isCloser);
  }

  revoke(keyHash: string, at: number, by?: string): Promise<KeyRow> {
    return this.#end(keyHash, at, by, 'revokedAt = :at, revokedBy = :by');
  }

  /** Expires or revokes an unrevoked key. The write's condition decides: a read may be out of date. */
  async #end(keyHash: string, at: number, by: string | undefined, assignments: string, andCondition = '') {
    const update = new UpdateCommand({
      TableName: this.#tableName,
      Key: { keyHash },
      UpdateExpression: `SET ${assignments}, ${apiKeyTable.timeToLive} = :purgeAt`,
      // Time to live may have deleted the key meanwhile: do not recreate part of it.
      ConditionExpression: `attribute_exists(keyHash) AND NOT attribute_type(revokedAt, :number) ${andCondition}`,
      ExpressionAttributeValues: {
        ':at': at,
        ':by': by ?? null,
        ':purgeAt': at + retentionSeconds,
        ':number': 'N',
      },
    });
    await this.#dynamodb.send(update).catch((error: unknown) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
    const ended = await this.find(keyHash);
    if (ended) return ended;
    throw new Error(`The key ${keyIdOf(keyHash)} was purged meanwhile: it is no longer valid.`);
  }
}

const parseRow = (item: unknown): KeyRow => ({
  ...v.parse(KeyAttributes, item),
  isDamaged: !v.is(StoredApiKey, item),
});

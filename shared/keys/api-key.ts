import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import * as v from 'valibot';
import { nowInSeconds, StoredInstant } from '../tables/stored-item.ts';
import type { TableDefinition } from '../tables/table.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 32;
const checksumLength = 6;

/** How long a key stays in the table after it has expired or was revoked. */
export const retentionDays = 90;

/** Generates an API key: `<prefix><32 random base62 characters><6 base62 characters of CRC-32>`. */
export function generateApiKey(prefix: string): string {
  const secret = Array.from({ length: secretLength }, () => alphabet.charAt(randomInt(alphabet.length)));
  return withChecksum(prefix + secret.join(''));
}

/** Returns a Java-compatible pattern for an Authorization header (RFC 9110 §11.1); its group is the key. */
export const authorizationPattern = (prefix: string): string =>
  `^[Bb][Ee][Aa][Rr][Ee][Rr] +(${apiKeyPattern(prefix)})$`;

/** Returns a pattern for the keys with a prefix. */
export const apiKeyPattern = (prefix: string): string =>
  `${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}`;

export const hasValidChecksum = (key: string): boolean => withChecksum(key.slice(0, -checksumLength)) === key;

/** Returns the SHA-256 of a key in hex, the only form in which it is stored. */
export const apiKeyHash = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Returns the key id: the first 12 hex characters of a key's hash. */
export const keyIdOf = (keyHash: string): string => keyHash.slice(0, 12);

function withChecksum(text: string): string {
  const checksum = crc32(text);
  const digits = Array.from({ length: checksumLength }, (_, place) =>
    alphabet.charAt(Math.floor(checksum / alphabet.length ** place) % alphabet.length),
  );
  return text + digits.reverse().join('');
}

/** An API key as it is stored: its hash, never the key. */
export const StoredApiKey = v.object({
  keyHash: v.string(),
  client: v.string(),
  createdAt: StoredInstant,
  expiresAt: v.optional(StoredInstant),
  revokedAt: v.optional(StoredInstant),
  note: v.optional(v.string()),
});
export type StoredApiKey = v.InferOutput<typeof StoredApiKey>;

/** The table of API keys. */
export const apiKeyTable = {
  id: 'apiKeys',
  nameVariable: 'API_KEYS_TABLE',
  schema: StoredApiKey,
  key: { partition: 'keyHash' },
  indexes: {},
  keyTypes: { keyHash: 'S' },
  timeToLive: 'purgeAt',
} as const satisfies TableDefinition<StoredApiKey>;

/** Returns whether a key is neither revoked nor expired at an instant. */
export function isKeyValid(
  { expiresAt, revokedAt }: Pick<StoredApiKey, 'expiresAt' | 'revokedAt'>,
  now = nowInSeconds(),
): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}

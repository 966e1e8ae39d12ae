import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** How many seconds API Gateway caches the authorizer's response: a revoked key can still work that long. */
export const authorizerCacheSeconds = 60;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 32;
const checksumLength = 6;

/** A pattern for the names of stages, which are parts of keys. */
export const stagePattern = '[a-z]{1,20}';

/** What every API key begins with. */
export const keyPrefix = 'petstore_';

/** Returns what every API key of a stage begins with. */
export const keyPrefixOf = (stage: string) => `${keyPrefix}${stage}_`;

/** Generates an API key: `petstore_<stage>_<32 random base62 characters><6 base62 characters of CRC-32>`. */
export function generateApiKey(stage: string): string {
  const secret = Array.from({ length: secretLength }, () => alphabet.charAt(randomInt(alphabet.length)));
  return withChecksum(keyPrefixOf(stage) + secret.join(''));
}

/** Returns a Java-compatible pattern for an Authorization header (RFC 9110 §11.1); its group is the key. */
export const authorizationPattern = (stage: string): string =>
  `^[Bb][Ee][Aa][Rr][Ee][Rr] +(${keyPattern(stage)})$`;

/** Returns the stage named in a key, or undefined if the text is not shaped like a key. */
export const stageOfApiKey = (key: string): string | undefined =>
  new RegExp(`^${keyPattern(`(${stagePattern})`)}$`).exec(key)?.[1];

export const hasValidChecksum = (key: string): boolean => withChecksum(key.slice(0, -checksumLength)) === key;

/** Returns the SHA-256 of a key in hex, the only form in which it is stored. */
export const apiKeyHash = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Returns the key id: the first 12 hex characters of a key's hash. */
export const keyIdOf = (keyHash: string): string => keyHash.slice(0, 12);

const keyPattern = (stage: string) => `${keyPrefixOf(stage)}[0-9A-Za-z]{${secretLength + checksumLength}}`;

function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let index = 0; index < checksumLength; index += 1) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return text + checksum;
}

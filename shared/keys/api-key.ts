import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** How many seconds API Gateway caches the authorizer's response: a revoked key can still work that long. */
export const authorizerCacheSeconds = 60;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 32;
const checksumLength = 6;

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
  let rest = crc32(text);
  let checksum = '';
  for (let index = 0; index < checksumLength; index += 1) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return text + checksum;
}

import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** How long API Gateway keeps what the authorizer said of a key, and so how long a revoked key may still work. */
export const authorizerCacheSeconds = 60;

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 32;
const checksumLength = 6;

const prefixOf = (stage: string) => `petstore_${stage}_`;

/** A new API key: `petstore_<stage>_<32 random base62 characters><6 base62 characters of CRC-32>`. */
export function generateApiKey(stage: string): string {
  const secret = Array.from({ length: secretLength }, () => alphabet.charAt(randomInt(alphabet.length))).join(
    '',
  );
  return withChecksum(prefixOf(stage) + secret);
}

/**
 * A regular expression, in the syntax that JavaScript and Java share, for the Authorization header of a request with a
 * key of the stage; its group is the key. The scheme may be in any case (RFC 9110 §11.1).
 */
export function authorizationPattern(stage: string): string {
  return `^[Bb][Ee][Aa][Rr][Ee][Rr] +(${keyPattern(stage)})$`;
}

/** The stage that a key says it is for; undefined when it does not have the form of a key. */
export function stageOfApiKey(key: string): string | undefined {
  return new RegExp(`^${keyPattern('([a-z]+)')}$`).exec(key)?.[1];
}

/** Whether the checksum of a key holds, which no mistyped key's does. */
export function hasValidChecksum(key: string): boolean {
  return withChecksum(key.slice(0, -checksumLength)) === key;
}

/** A text with every key in it, whole or in part, cut down to its prefix, for logs. */
export function hideApiKeys(text: string): string {
  return text.replaceAll(/(petstore_[a-z]+_)[0-9A-Za-z]+/g, '$1…');
}

/** SHA-256 of a key in hex: all that is stored of it. */
export function apiKeyHash(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** The public name of a key: the first 12 hex characters of its hash. */
export function keyIdOf(keyHash: string): string {
  return keyHash.slice(0, 12);
}

const keyPattern = (stage: string) => `${prefixOf(stage)}[0-9A-Za-z]{${secretLength + checksumLength}}`;

function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = '';
  for (let index = 0; index < checksumLength; index += 1) {
    checksum = alphabet.charAt(rest % alphabet.length) + checksum;
    rest = Math.floor(rest / alphabet.length);
  }
  return text + checksum;
}

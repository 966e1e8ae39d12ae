import { createHash } from 'node:crypto';

/** What distinguishes a client's create from all others. */
export interface Creation {
  readonly client: string;
  /** The client's Idempotency-Key, or a fresh UUID. */
  readonly key: string;
  /** The body as sent, parsed. */
  readonly body: unknown;
}

/** How many SHA-256 bytes each half of a digest keeps. */
const halfLength = 16;

/** Returns the id of a creation's pet, from 1 to 2^53 - 1. Each attempt (from 0) has its own. */
export function petIdOf({ client, key }: Omit<Creation, 'body'>, attempt: number): bigint {
  const first64Bits = sha256(JSON.stringify([client, key, attempt])).readBigUInt64BE();
  const first53Bits = first64Bits >> 11n;
  return first53Bits === 0n ? 1n : first53Bits;
}

/** Returns 32 bytes: the first half is a digest of client and key, the second of the body. */
export function creationDigest({ client, key, body }: Creation): Uint8Array<ArrayBuffer> {
  const origin = sha256(JSON.stringify([client, key]));
  const payload = sha256(canonicalJson(body));
  return new Uint8Array([...origin.subarray(0, halfLength), ...payload.subarray(0, halfLength)]);
}

/** Returns whether two digests share client and key. */
export const isSameCreation = (one: Uint8Array, other: Uint8Array) =>
  Buffer.compare(one.subarray(0, halfLength), other.subarray(0, halfLength)) === 0;

/**
 * Returns the same text for equal JSON, whatever the order of its keys. No schema takes part, so that a retry
 * is a replay on any version of the service, before or after a field was added.
 */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson)}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  // JSON.stringify would make an infinite number, such as 1e999, equal to null.
  if (typeof value !== 'object' || value === null) return `${value}`;
  const members = Object.entries(value).map(([name, member]) => [
    JSON.stringify(name),
    canonicalJson(member),
  ]);
  return `{${members.map((member) => member.join(':')).sort()}}`;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();

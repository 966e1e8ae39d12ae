import { createHash } from 'node:crypto';
import * as v from 'valibot';

/** A request to create an item. Two with the same client and idempotency key are the same creation. */
export interface Creation {
  readonly client: string;
  readonly idempotencyKey: string;
  /** The JSON before any schema: a retry is a replay on any version of the service. */
  readonly body: unknown;
}

/** How many SHA-256 bytes each half of a digest keeps. */
const halfLength = 16;

/**
 * The digest of a creation: 16 bytes of client and idempotency key, then 16 of the body. A longer one has a
 * later format, whose body this version cannot compare: it takes the bodies for equal, because a 422 must never
 * be false.
 */
export const Digest = v.pipe(v.instance(Uint8Array), v.minLength(2 * halfLength));

/**
 * Returns the id of what a creation makes, from 1 to 2^53 - 1. It differs with the number of earlier ids of the creation
 * that collided: other creations had them.
 */
export function idFor({ client, idempotencyKey }: Omit<Creation, 'body'>, collisions: number): bigint {
  const first64Bits = sha256(JSON.stringify([client, idempotencyKey, collisions])).readBigUInt64BE();
  const first53Bits = first64Bits >> 11n;
  return first53Bits === 0n ? 1n : first53Bits;
}

/** Returns the digest of a creation. */
export function creationDigest({ client, idempotencyKey, body }: Creation): Uint8Array<ArrayBuffer> {
  const origin = sha256(JSON.stringify([client, idempotencyKey]));
  const payload = sha256(canonicalJson(body));
  return new Uint8Array([...origin.subarray(0, halfLength), ...payload.subarray(0, halfLength)]);
}

/** Compares the digest of a stored item with that of a create whose id the item has. */
export function compareDigests(
  stored: Uint8Array,
  own: Uint8Array,
): 'same' | 'other body' | 'other creation' {
  const isSameOrigin = Buffer.compare(stored.subarray(0, halfLength), own.subarray(0, halfLength)) === 0;
  if (!isSameOrigin) return 'other creation';
  const isKnownFormat = stored.length === own.length;
  return isKnownFormat && Buffer.compare(stored, own) !== 0 ? 'other body' : 'same';
}

/** Returns the same text for equal JSON, whatever the order of its keys. */
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

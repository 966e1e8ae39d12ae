import { createHash } from 'node:crypto';
import { stringifyJson } from '../contract/json.ts';
import type { NewPet } from '../contract/pet.ts';

/** What makes one create of one client distinct from every other. */
export interface Creation {
  readonly client: string;
  /** The client's Idempotency-Key, or else a fresh UUID. */
  readonly key: string;
}

/** The id of the pet that a creation makes; each attempt gives another, should the one before be taken. */
export function petIdOf({ client, key }: Creation, attempt: number): bigint {
  const first64Bits = createHash('sha256')
    .update(JSON.stringify([client, key, attempt]))
    .digest()
    .readBigUInt64BE();
  const first53Bits = first64Bits >> 11n;
  return first53Bits === 0n ? 1n : first53Bits;
}

/** Tells a pet that this creation made from one that another made. */
export function creationDigest({ client, key }: Creation): string {
  return sha256(JSON.stringify([client, key]));
}

/** Tells a repeated create from a key that is reused for another pet. */
export function payloadDigest({ name, categoryId, status }: NewPet): string {
  return sha256(stringifyJson([name, categoryId, status]));
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url');

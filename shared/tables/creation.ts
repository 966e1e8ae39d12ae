import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { stringifyJson } from '../contract/json.ts';
import { NewPet } from '../contract/schemas/pet.ts';

/** What distinguishes a client's create from all others. */
export interface Creation {
  readonly client: string;
  /** The client's Idempotency-Key, or a fresh UUID. */
  readonly key: string;
  /** The body as sent, parsed. */
  readonly body: unknown;
}

/** The known fields as sent: a new field with a default must not change the digest of a retry. */
const SentFields = v.partial(NewPet);

/** How many SHA-256 bytes each half of a digest keeps. */
const halfLength = 16;

/** Returns the id of a creation's pet, from 1 to 2^53 - 1. Each attempt (from 0) has its own. */
export function petIdOf({ client, key }: Omit<Creation, 'body'>, attempt: number): bigint {
  const first64Bits = sha256(JSON.stringify([client, key, attempt])).readBigUInt64BE();
  const first53Bits = first64Bits >> 11n;
  return first53Bits === 0n ? 1n : first53Bits;
}

/** Returns 32 bytes: the first half is a digest of client and key, the second of the fields sent. */
export function creationDigest({ client, key, body }: Creation): Uint8Array<ArrayBuffer> {
  const origin = sha256(JSON.stringify([client, key]));
  const payload = sha256(stringifyJson(v.parse(SentFields, body)));
  return new Uint8Array([...origin.subarray(0, halfLength), ...payload.subarray(0, halfLength)]);
}

/** Returns whether two digests share client and key. */
export const isSameCreation = (one: Uint8Array, other: Uint8Array) =>
  Buffer.compare(one.subarray(0, halfLength), other.subarray(0, halfLength)) === 0;

const sha256 = (text: string) => createHash('sha256').update(text).digest();

import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { stringifyJson } from '../contract/json.ts';
import { NewPet } from '../contract/schemas/pet.ts';

/** What makes one create of one client distinct from every other. */
export interface Creation {
  readonly client: string;
  /** The client's Idempotency-Key, or else a fresh UUID. */
  readonly key: string;
}

/** How many bytes of a SHA-256 a digest keeps. */
export const digestLength = 16;

/** The id of the pet that a creation makes: 1 to 2^53 - 1, another for each attempt, counted from 0. */
export function petIdOf({ client, key }: Creation, attempt: number): bigint {
  const first64Bits = sha256(JSON.stringify([client, key, attempt])).readBigUInt64BE();
  const first53Bits = first64Bits >> 11n;
  return first53Bits === 0n ? 1n : first53Bits;
}

/** Tells a pet that this creation made from one that another made: the first 16 bytes of a SHA-256. */
export function creationDigest({ client, key }: Creation): Uint8Array<ArrayBuffer> {
  return digest(JSON.stringify([client, key]));
}

/**
 * Tells a repeated create from a key that is reused for another pet: the first 16 bytes of a SHA-256 over every field
 * of the pet. A field that is left out is not part of it, so that a new one changes no digest of before.
 */
export function payloadDigest(newPet: NewPet): Uint8Array<ArrayBuffer> {
  const fields = v.keyof(NewPet).options.map((field) => [field, newPet[field]]);
  return digest(stringifyJson(Object.fromEntries(fields)));
}

const digest = (text: string) => new Uint8Array(sha256(text).subarray(0, digestLength));

const sha256 = (text: string) => createHash('sha256').update(text).digest();

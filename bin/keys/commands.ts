import { stageOfKey } from '../../infra/key-prefix.ts';
import { apiKeyHash, hasValidChecksum, keyIdOf, retentionDays } from '../../shared/keys/api-key.ts';
import { nowInSeconds } from '../../shared/tables/stored-item.ts';
import { clientPattern, type KeyRow } from './api-key-store.ts';
import { parseDuration, parseExpiry } from './expiry.ts';
import { isRowValid, type ListedKey, stateOf, toIssuedKey, toListedKey } from './key-state.ts';
import type { OpenStage } from './stage.ts';

export async function issueKey(
  stage: OpenStage,
  { client, expires = 'never', note }: { client: string; expires?: string; note?: string },
) {
  if (!clientPattern.test(client)) {
    throw new Error(
      `"${client}" is not a valid client name: use lower-case letters, digits and hyphens, such as acme.`,
    );
  }
  const expiresAt = parseExpiry(expires);
  return toIssuedKey(await stage.keys.issue({ client, expiresAt, note, issuedBy: await stage.caller() }));
}

export async function listKeys({ name, keys }: OpenStage, { client }: { client?: string } = {}) {
  const listed = (await keys.list()).filter((key) => client === undefined || key.client === client);
  if (client !== undefined && listed.length === 0) {
    throw new Error(`Client ${client} has no key for ${name}: run list to see clients, or issue a key.`);
  }
  const createdAt = (row: KeyRow) => row.createdAt ?? Number.MAX_SAFE_INTEGER;
  return listed.sort((a, b) => createdAt(b) - createdAt(a)).map(toListedKey);
}

/** Issues a successor, by default with the old key's lifetime; the old key expires after the overlap. */
export async function rotateKey(
  { keys, caller }: OpenStage,
  keyId: string,
  { overlap, expires }: { overlap: string; expires?: string },
) {
  const overlapEndsAt = nowInSeconds() + parseDuration(overlap);
  const old = await keys.findById(keyId);
  const { client, note } = old;
  if (!isRowValid(old) || client === undefined) {
    throw new Error(`The key ${keyId} is ${stateOf(old)}: issue ${client ?? 'its client'} a new one.`);
  }
  if (old.rotatedBy !== undefined && expires === undefined) {
    throw new Error(`The key ${keyId} has already been rotated: pass --expires for the new key.`);
  }
  const expiresAt = expires === undefined ? sameLifetime(old) : parseExpiry(expires);

  // Issue the new key before expiring the old one, so that the client always has a valid key.
  const by = await caller();
  const issued = await keys.issue({ client, expiresAt, note, issuedBy: by });
  const oldExpiresAt = Math.min(overlapEndsAt, old.expiresAt ?? Number.POSITIVE_INFINITY);
  return { issued: toIssuedKey(issued), old: toListedKey(await keys.expire(old.keyHash, oldExpiresAt, by)) };
}

/** Revokes a key, even a damaged one. Revoking it again keeps the original time. */
export async function revokeKey({ keys, caller }: OpenStage, keyId: string): Promise<ListedKey> {
  const { keyHash } = await keys.findById(keyId);
  return toListedKey(await keys.revoke(keyHash, nowInSeconds(), await caller()));
}

/** Looks up a key, its state, and whether it stays valid for a duration. */
export async function verifyKey({ name, keys }: OpenStage, key: string, duration = '0s') {
  const until = nowInSeconds() + parseDuration(duration);
  const keyStage = stageOfKey(key);
  if (keyStage === undefined) throw new Error('That is not an API key: it has the wrong format.');
  if (!hasValidChecksum(key)) throw new Error('That key is mistyped: its checksum does not match.');
  if (keyStage !== name) throw new Error(`That is a key for ${keyStage}, not ${name}.`);

  const keyHash = apiKeyHash(key);
  const found = await keys.find(keyHash);
  if (found) return { ...toListedKey(found), isValid: isRowValid(found, until) };
  throw new Error(
    `The key ${keyIdOf(keyHash)} is unknown to ${name}: it was never issued here, or was purged after ${retentionDays} days.`,
  );
}

const sameLifetime = ({ createdAt, expiresAt }: KeyRow) =>
  expiresAt === undefined || createdAt === undefined ? undefined : nowInSeconds() + expiresAt - createdAt;

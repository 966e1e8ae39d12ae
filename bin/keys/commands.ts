import { apiKeyHash, hasValidChecksum, keyIdOf, stageOfApiKey } from '../../shared/contract/api-key.ts';
import type { ApiKeyStore, AuditedApiKey, NewApiKey } from './api-key-store.ts';
import { formatInstant, parseDuration, parseExpiry } from './instants.ts';
import { type ListedKey, stateOf, toListedKey } from './key-state.ts';
import { OperatorError } from './operator-error.ts';
import type { OpenStage } from './stage.ts';

/** A key that was just issued: the only time that it is shown. */
export interface IssuedKey {
  readonly key: string;
  readonly keyId: string;
  readonly client: string;
  readonly expires: string | null;
}

const clientPattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Issues a key to a client.
 *
 * @throws {OperatorError} when the client is no slug, or the expiry is malformed or past
 */
export async function issueKey(
  stage: OpenStage,
  { client, expires, note }: { client: string; expires?: string; note?: string },
): Promise<IssuedKey> {
  if (!clientPattern.test(client)) {
    throw new OperatorError(
      `"${client}" is no client: write lower-case letters, digits and hyphens, such as acme.`,
    );
  }
  const expiresAt = expiryOf(expires);
  return issue(stage.keys, { client, expiresAt, note, issuedBy: await stage.caller() });
}

/**
 * Lists the keys of a client or of all, the newest first.
 *
 * @throws {OperatorError} when the client has never had a key
 */
export async function listKeys(
  { name, keys }: OpenStage,
  { client }: { client?: string },
): Promise<ListedKey[]> {
  const all = await keys.list();
  const listed = all.filter((key) => client === undefined || key.client === client);
  if (client !== undefined && listed.length === 0) {
    throw new OperatorError(`No client ${client} has a key of ${name}: list shows who has, issue gives one.`);
  }
  return listed.map((key) => toListedKey(key, now()));
}

/**
 * Issues a new key to the client of a key, which stays good for the overlap. The new one lives as long as the old one was
 * to live, unless `expires` says otherwise.
 *
 * @throws {OperatorError} when the key is unknown, no longer good, or was rotated before; or when the overlap or the expiry
 * is malformed
 */
export async function rotateKey(
  stage: OpenStage,
  keyId: string,
  { overlap, expires }: { overlap: string; expires?: string },
): Promise<{ issued: IssuedKey; oldExpires: string }> {
  const overlapSeconds = parseDuration(overlap);
  const wantedExpiresAt = expiryOf(expires);
  const old = await findKey(stage, keyId);
  const state = stateOf(old, now());
  if (state === 'revoked' || state === 'expired') {
    throw new OperatorError(`The key ${keyId} is ${state}: issue ${old.client} a new one.`);
  }
  if (old.rotatedBy !== undefined && expires === undefined) {
    throw new OperatorError(
      `The key ${keyId} was rotated before: say with --expires how long the new one lives.`,
    );
  }
  const lifeSpan = old.expiresAt === undefined ? undefined : old.expiresAt - old.createdAt;
  const sameExpiresAt = lifeSpan === undefined ? undefined : now() + lifeSpan;
  const expiresAt = expires === undefined ? sameExpiresAt : wantedExpiresAt;

  // The new key is there before the old one is told to end: whatever fails between, the client has a good key.
  const by = await stage.caller();
  const issued = await issue(stage.keys, { client: old.client, expiresAt, note: old.note, issuedBy: by });
  const oldExpiresAt = Math.min(now() + overlapSeconds, old.expiresAt ?? Number.POSITIVE_INFINITY);
  await stage.keys.expire(old, oldExpiresAt, by);
  return { issued, oldExpires: formatInstant(oldExpiresAt) };
}

/**
 * Takes a key back. One that was revoked before stays revoked since then.
 *
 * @throws {OperatorError} when the key is unknown
 */
export async function revokeKey(stage: OpenStage, keyId: string): Promise<ListedKey> {
  const key = await findKey(stage, keyId);
  if (key.revokedAt === undefined) await stage.keys.revoke(key, now(), await stage.caller());
  return { ...toListedKey(key, now()), state: 'revoked' };
}

/**
 * Tells which key a key is, and what it is good for.
 *
 * @throws {OperatorError} when it is no key of the stage
 */
export async function verifyKey({ name, keys }: OpenStage, key: string): Promise<ListedKey> {
  const stageOfKey = stageOfApiKey(key);
  if (stageOfKey === undefined)
    throw new OperatorError('That is no API key: it does not have the form of one.');
  if (!hasValidChecksum(key)) throw new OperatorError('That key is mistyped: its checksum does not hold.');
  if (stageOfKey !== name) throw new OperatorError(`That is a key of ${stageOfKey}, not of ${name}.`);

  const keyHash = apiKeyHash(key);
  const found = await keys.find(keyHash);
  if (!found)
    throw new OperatorError(`The key ${keyIdOf(keyHash)} is unknown to ${name}: it was never issued here.`);
  return toListedKey(found, now());
}

async function issue(keys: ApiKeyStore, newKey: NewApiKey): Promise<IssuedKey> {
  const { client, expiresAt } = newKey;
  const issued = await keys.issue(newKey);
  return { ...issued, client, expires: expiresAt === undefined ? null : formatInstant(expiresAt) };
}

const expiryOf = (expires = 'never') => (expires === 'never' ? undefined : parseExpiry(expires, now()));

async function findKey({ name, keys }: OpenStage, keyId: string): Promise<AuditedApiKey> {
  const found = (await keys.list()).find(({ keyHash }) => keyIdOf(keyHash) === keyId);
  if (found) return found;
  throw new OperatorError(`No key ${keyId} of ${name}: list shows the keyIds.`);
}

const now = () => Math.floor(Date.now() / 1000);

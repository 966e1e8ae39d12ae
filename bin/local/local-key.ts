import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalApi } from '../../infra/local/local-api.ts';
import { apiKeyHash } from '../../shared/contract/api-key.ts';
import { stateOf } from '../keys/key-state.ts';
import { type OpenStage, openStage } from '../keys/stage.ts';

/** Who the key is issued to. */
const client = 'local';

/** The key of the client `local`: that of the data directory as long as it is good, or else a new one, kept there. */
export async function localKey({ port }: Pick<LocalApi, 'port'>, dataDirectory?: string): Promise<string> {
  const stage = await openStage({ stage: 'local', port });
  const file = dataDirectory === undefined ? undefined : join(dataDirectory, `local-key-${stage.name}`);

  const kept = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (kept !== undefined && (await isGood(kept, stage))) return kept;

  const { key } = await stage.keys.issue({ client });
  if (file !== undefined) keep(file, key);
  return key;
}

async function isGood(key: string, { keys }: OpenStage): Promise<boolean> {
  const found = await keys.find(apiKeyHash(key));
  if (found?.client !== client) return false;
  return ['active', 'expiring'].includes(stateOf(found, Math.floor(Date.now() / 1000)));
}

/** For this user alone, and whole: it is written beside its place, and moved there. */
function keep(file: string, key: string): void {
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${key}\n`, { flag: 'wx', mode: 0o600 });
  renameSync(`${file}.new`, file);
}

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalApi } from '../../infra/local/local-api.ts';
import { apiKeyHash, hasValidChecksum, stageOfApiKey } from '../../shared/contract/api-key.ts';
import { isRowValid } from '../keys/key-state.ts';
import { type OpenStage, openStage } from '../keys/stage.ts';
import { writePrivateFile } from './private-file.ts';

const client = 'local';

/** Returns a key for the client `local`: the one in the data directory if still valid, else a new one. */
export async function localKey({ port }: Pick<LocalApi, 'port'>, dataDirectory?: string): Promise<string> {
  const stage = await openStage({ stage: 'local', port });
  const file = dataDirectory === undefined ? undefined : join(dataDirectory, `local-key-${stage.name}`);

  const kept = file !== undefined && existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
  if (kept !== undefined && (await isValid(kept, stage))) return kept;

  const { key } = await stage.keys.issue({ client });
  if (file !== undefined) writePrivateFile(file, `${key}\n`);
  return key;
}

/** The directory may come from somebody else, who can choose both the file and the table's hashes. */
async function isValid(key: string, { name, keys }: OpenStage): Promise<boolean> {
  if (stageOfApiKey(key) !== name || !hasValidChecksum(key)) return false;
  const found = await keys.find(apiKeyHash(key));
  return found?.client === client && isRowValid(found);
}

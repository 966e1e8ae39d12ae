import type { Journal } from '../../infra/local/dynamodb/journal.ts';
import { apiKeyHash, hasValidChecksum, stageOfApiKey } from '../../shared/contract/api-key.ts';
import { isRowValid } from '../keys/key-state.ts';
import type { OpenStage } from '../keys/stage.ts';

type KeysOfStage = Pick<OpenStage, 'name' | 'keys'>;

/** Returns the key that a journal has kept if it is still valid, or else issues and keeps another. */
export async function localApiKey({ name, keys }: KeysOfStage, journal?: Journal): Promise<string> {
  const kept = journal?.kept.apiKey;
  if (kept !== undefined && stageOfApiKey(kept) === name && hasValidChecksum(kept)) {
    const row = await keys.find(apiKeyHash(kept));
    if (row && isRowValid(row)) return kept;
  }
  const { key } = await keys.issue({ client: 'local' });
  journal?.append({ apiKey: key });
  return key;
}

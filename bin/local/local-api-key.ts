import { stageOfKey } from '../../infra/key-prefix.ts';
import { apiKeyHash, hasValidChecksum } from '../../shared/keys/api-key.ts';
import { isRowValid } from '../keys/key-state.ts';
import type { OpenStage } from '../keys/stage.ts';
import type { KeptData } from '../local-api/dynamodb/kept-data.ts';

type KeysOfStage = Pick<OpenStage, 'name' | 'keys'>;

/** Returns the key that is kept if it is still valid, or else issues and keeps another. */
export async function localApiKey({ name, keys }: KeysOfStage, values?: KeptData['values']): Promise<string> {
  const kept = values?.get('apiKey');
  if (kept !== undefined && stageOfKey(kept) === name && hasValidChecksum(kept)) {
    const row = await keys.find(apiKeyHash(kept));
    if (row && isRowValid(row)) return kept;
  }
  const { key } = await keys.issue({ client: 'local' });
  values?.set('apiKey', key);
  return key;
}

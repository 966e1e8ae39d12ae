import { issueKey } from '../../commands.ts';
import type { IssuedKey } from '../../key-state.ts';
import { openStage } from '../../stage.ts';

export const issue = async (port: number, client: string): Promise<IssuedKey> =>
  issueKey(await openStage({ stage: 'local', port }), { client });

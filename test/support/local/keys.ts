import { issueKey } from '../../../bin/keys/commands.ts';
import type { IssuedKey } from '../../../bin/keys/key-state.ts';
import { openStage } from '../../../bin/keys/stage.ts';

export const issue = async (port: number, client: string): Promise<IssuedKey> =>
  issueKey(await openStage({ stage: 'local', port }), { client });

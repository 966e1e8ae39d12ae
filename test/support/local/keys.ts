import { devNull } from 'node:os';
import type { IssuedKey } from '../../../bin/keys/api-key-store.ts';
import { issueKey } from '../../../bin/keys/commands.ts';
import { openStage } from '../../../bin/keys/stage.ts';
import { type Machine, runCommand } from './command-process.ts';

/** An environment without an AWS account, even if the machine's has one. */
const noAccount = {
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** Runs `npm run keys --` with arguments, as an operator does. */
export const keys = (args: readonly string[], { environment, input }: Machine = {}) =>
  runCommand('bin/keys.ts', args, { environment: { ...noAccount, ...environment }, input });

export const issue = async (port: number, client: string): Promise<IssuedKey> =>
  issueKey(await openStage({ stage: 'local', port }), { client });

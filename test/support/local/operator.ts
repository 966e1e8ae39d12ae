import { devNull } from 'node:os';
import { type Machine, type Outcome, startCommand } from './command-process.ts';

/** An environment that knows no AWS account, whatever the machine's own does. */
const noAccount = {
  AWS_CONFIG_FILE: devNull,
  AWS_SHARED_CREDENTIALS_FILE: devNull,
  AWS_EC2_METADATA_DISABLED: 'true',
};

/** Runs `npm run keys --` with arguments, as an operator does. */
export const keys = (args: readonly string[], { environment, input }: Machine = {}): Promise<Outcome> =>
  startCommand('bin/keys.ts', args, { environment: { ...noAccount, ...environment }, input }).outcome;

/** What `issue` and `rotate` print with `--json`. */
export interface IssuedKey {
  readonly key: string;
  readonly keyId: string;
}

/** Issues a key to a client of the local API on a port. */
export async function issue(port: string, client: string): Promise<IssuedKey> {
  const { stdout } = await keys(['issue', '--client', client, '--json', '--port', port]);
  return JSON.parse(stdout);
}

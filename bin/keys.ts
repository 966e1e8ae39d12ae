import { type Command, Option } from 'commander';
import { defaultPort } from '../infra/local/default-port.ts';
import { printable } from '../infra/local/text/printable.ts';
import { stageNames } from '../infra/settings/stage-names.ts';
import { authorizerCacheSeconds } from '../shared/contract/api-key.ts';
import { createCommand, fail } from './cli/create-command.ts';
import { integerBetween } from './cli/integer-between.ts';
import { readSecret } from './cli/read-secret.ts';
import { type IssuedKey, issueKey, listKeys, revokeKey, rotateKey, verifyKey } from './keys/commands.ts';
import { type EndedKeys, endAsIn } from './keys/end-as-in.ts';
import { explainFailure } from './keys/explain-failure.ts';
import { keyTable, stateTexts } from './keys/key-table.ts';
import { OperatorError } from './keys/operator-error.ts';
import { type OpenStage, openStage, type StageChoice } from './keys/stage.ts';

const program = createCommand(
  'npm run keys --',
  'Issues, lists, rotates, revokes and verifies the API keys of a stage.',
);

/** A command, with the options that say where the keys are. */
function command(nameAndArguments: string, description: string): Command {
  return program
    .command(nameAndArguments)
    .description(description)
    .addOption(
      new Option('--stage <name>', 'where the keys are').choices(['local', ...stageNames]).default('local'),
    )
    .option('--port <number>', 'the port of the local API', integerBetween(0, 65_535), defaultPort)
    .option('--table <name>', 'another table of keys than that of the stage, such as one that was restored');
}

/** Runs a command on the stage that its options name, and prints what it says; an error is one line. */
async function run(choice: StageChoice, act: (stage: OpenStage) => Promise<string>): Promise<void> {
  try {
    console.log(printable(await act(await openStage(choice))));
  } catch (error) {
    fail(explainFailure(error, choice));
  }
}

interface Json {
  readonly json: boolean;
}

const expiresOption = (without: string) =>
  [
    '--expires <when>',
    `when the new key expires: after a duration such as 90d, on a date such as 2027-06-30, or never (default: ${without})`,
  ] as const;

command('issue', 'Issue a key to a client.')
  .requiredOption('--client <name>', 'who gets the key: a slug such as acme')
  .option(...expiresOption('never'))
  .option('--note <text>', 'a note for the list of keys')
  .option('--json', 'print one line of JSON', false)
  .action((options: StageChoice & Json & { client: string; expires?: string; note?: string }) =>
    run(options, async (stage) => {
      const issued = await issueKey(stage, options);
      return options.json ? JSON.stringify(issued) : showIssued(issued);
    }),
  );

command('list', 'List the keys, the newest first.')
  .option('--client <name>', 'only those of a client')
  .option('--json', 'print JSON', false)
  .action((options: StageChoice & Json & { client?: string }) =>
    run(options, async (stage) => {
      const keys = await listKeys(stage, options);
      return options.json ? JSON.stringify(keys) : keyTable(keys);
    }),
  );

command('rotate <keyId>', 'Issue a new key to the client of a key, which expires after an overlap.')
  .option('--overlap <duration>', 'how long the old key is still good, in s, m, h or d', '7d')
  .option(...expiresOption('it lives as long as the old one was to live'))
  .option('--json', 'print one line of JSON', false)
  .action((keyId: string, options: StageChoice & Json & { overlap: string; expires?: string }) =>
    run(options, async (stage) => {
      const { issued, oldExpires } = await rotateKey(stage, keyId, options);
      return options.json
        ? JSON.stringify(issued)
        : `${showIssued(issued)}\nThe old key ${keyId} expires at ${oldExpires}.`;
    }),
  );

command('revoke [keyId]', 'Take a key back, or all keys that another table has as ended.')
  .option('--from-table <name>', 'end the keys as in this table: after a restore, that from before')
  .action((keyId: string | undefined, options: StageChoice & { fromTable?: string }) =>
    run(options, async (stage) => {
      const { fromTable } = options;
      if ((keyId === undefined) === (fromTable === undefined)) {
        throw new OperatorError('Give either a keyId or --from-table.');
      }
      if (fromTable !== undefined) {
        return showEnded(fromTable, await endAsIn(stage.keys, stage.keysOf(fromTable)));
      }
      const revoked = await revokeKey(stage, keyId ?? '');
      return `Revoked ${revoked.keyId} of ${revoked.client}. It may still work for ${authorizerCacheSeconds} seconds, while a response of the authorizer is cached.`;
    }),
  );

command(
  'verify',
  'Tell which key a key is and whether it is good; the key is read from standard input.',
).action((options: StageChoice) =>
  run(options, async (stage) => {
    const key = await verifyKey(stage, await readSecret('API key: '));
    const isGood = key.state === 'active' || key.state === 'expiring';
    if (!isGood) process.exitCode = 1;
    return `${key.keyId} of ${key.client} is ${isGood ? 'good' : 'not good'}: ${stateTexts[key.state]}, expires ${key.expires ?? 'never'}.`;
  }),
);

await program.parseAsync();

function showIssued({ key, keyId, client, expires }: IssuedKey): string {
  return `${key}

This is the key ${keyId} of ${client}; it expires ${expires ?? 'never'}. It will not be shown again.`;
}

function showEnded(table: string, { revoked, expiring, missing }: EndedKeys): string {
  const list = (keyIds: readonly string[]) => keyIds.join(', ') || 'none';
  return `Ended as in ${table}. Revoked: ${list(revoked)}. Expiring earlier: ${list(expiring)}.
Good in ${table} and not here, so that their clients need new ones: ${list(missing)}.`;
}

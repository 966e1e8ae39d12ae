import CliTable from 'cli-table3';
import { Command, Option } from 'commander';
import { defaultPort } from '../infra/local/default-port.ts';
import { stageNames } from '../infra/stage-names.ts';
import { authorizerCacheSeconds, hideApiKeys } from '../shared/contract/api-key.ts';
import { integerBetween } from './cli/integer-between.ts';
import { readSecret } from './cli/read-secret.ts';
import { type IssuedKey, issueKey, listKeys, revokeKey, rotateKey, verifyKey } from './keys/commands.ts';
import { explainFailure } from './keys/explain-failure.ts';
import type { KeyState, ListedKey } from './keys/key-state.ts';
import { type OpenStage, openStage, type StageChoice } from './keys/stage.ts';

const stateTexts: Readonly<Record<KeyState, string>> = {
  active: 'active',
  expiring: 'expiring within 14 days',
  expired: 'expired',
  revoked: 'revoked',
};

/** A table of columns alone, which other programs can read too. */
const noLines = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [
    [side, ''],
    [`${side}-mid`, ''],
    [`${side}-left`, ''],
    [`${side}-right`, ''],
  ]),
);

const program = new Command('npm run keys --')
  .description('Issues, lists, rotates, revokes and verifies the API keys of a stage.')
  .showSuggestionAfterError(false)
  // Its errors quote what was typed, which may be a key in the wrong place.
  .configureOutput({ writeErr: (text) => process.stderr.write(hideApiKeys(text)) });

/** A command, with the options that say where the keys are. */
function command(nameAndArguments: string, description: string): Command {
  return program
    .command(nameAndArguments)
    .description(description)
    .addOption(
      new Option('--stage <name>', 'where the keys are').choices(['local', ...stageNames]).default('local'),
    )
    .option('--port <number>', 'the port of the local API', integerBetween(0, 65_535), defaultPort);
}

/** Runs a command on the stage that its options name, and prints what it says; an error is one line. */
async function run(choice: StageChoice, act: (stage: OpenStage) => Promise<string>): Promise<void> {
  try {
    console.log(await act(await openStage(choice)));
  } catch (error) {
    console.error(`error: ${explainFailure(error, choice)}`);
    process.exitCode = 1;
  }
}

interface Json {
  readonly json: boolean;
}

const expiresOption = [
  '--expires <when>',
  'when the new key expires: after a duration such as 90d, or on a date such as 2027-06-30 (default: never)',
] as const;

command('issue', 'Issue a key to a client.')
  .requiredOption('--client <name>', 'who gets the key: a slug such as acme')
  .option(...expiresOption)
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
      return options.json ? JSON.stringify(keys) : showTable(keys);
    }),
  );

command('rotate <keyId>', 'Issue a new key to the client of a key, which expires after an overlap.')
  .option('--overlap <duration>', 'how long the old key is still good, in s, m, h or d', '7d')
  .option(...expiresOption)
  .option('--json', 'print one line of JSON', false)
  .action((keyId: string, options: StageChoice & Json & { overlap: string; expires?: string }) =>
    run(options, async (stage) => {
      const { issued, oldExpires } = await rotateKey(stage, keyId, options);
      return options.json
        ? JSON.stringify(issued)
        : `${showIssued(issued)}\nThe old key ${keyId} expires at ${oldExpires}.`;
    }),
  );

command('revoke <keyId>', 'Take a key back.').action((keyId: string, options: StageChoice) =>
  run(options, async (stage) => {
    const { client } = await revokeKey(stage, keyId);
    return `Revoked ${keyId} of ${client}. It may still work for ${authorizerCacheSeconds} seconds, while an answer of the authorizer is cached.`;
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

function showTable(keys: readonly ListedKey[]): string {
  const table = new CliTable({
    head: ['KEY ID', 'CLIENT', 'CREATED', 'EXPIRES', 'STATE', 'NOTE'],
    chars: { ...noLines, middle: '' },
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
  });
  for (const { keyId, client, created, expires, state, note } of keys) {
    table.push([keyId, client, created, expires ?? 'never', stateTexts[state], note ?? '']);
  }
  return table.toString();
}

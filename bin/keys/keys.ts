import type { Command } from 'commander';
import { authorizerCacheSeconds } from '../../infra/settings/limits-and-permissions.ts';
import { localStage } from '../../infra/stack-names.ts';
import { createCommand, fail } from '../cli/create-command.ts';
import { explainError } from '../cli/explain-error.ts';
import type { StageChoice } from '../cli/find-stage.ts';
import { printable } from '../cli/printable.ts';
import { readSecret } from '../cli/read-secret.ts';
import { issueKey, listKeys, revokeKey, rotateKey, verifyKey } from './commands.ts';
import type { IssuedKey } from './key-state.ts';
import { type OpenStage, openStage } from './stage.ts';

const program = createCommand(
  'npm run keys --',
  'Issues, lists, rotates, revokes and verifies the API keys of a stage.',
);

/** Adds a command with options to select the keys. */
function command(nameAndArguments: string, description: string): Command {
  return program
    .command(nameAndArguments)
    .description(description)
    .option('--stage <name>', 'the stage whose keys to manage: local, or a deployed one', localStage);
}

/** Runs a command on the selected stage and prints its result, or a one-line error. */
async function run(choice: StageChoice, act: (stage: OpenStage) => Promise<string>): Promise<void> {
  try {
    // Loaded on demand, because the settings load the CDK.
    if (choice.stage !== localStage)
      (await import('../../infra/settings/stages.ts')).settingsOf(choice.stage);
    console.log(printable(await act(await openStage(choice))));
  } catch (error) {
    fail(explainError(error));
  }
}

const expires = [
  '--expires <when>',
  'when the new key expires: after a duration such as 90d, on a date such as 2027-06-30, or never',
] as const;

command('issue', 'Issue a key to a client.')
  .requiredOption('--client <name>', 'the client that gets the key: a slug such as acme')
  .option(...expires, 'never')
  .option('--note <text>', 'a note for the list of keys')
  .option('--json', 'print one line of JSON', false)
  .action((options: StageChoice & { json: boolean; client: string; expires?: string; note?: string }) =>
    run(options, async (stage) => {
      const issued = await issueKey(stage, options);
      return options.json
        ? JSON.stringify({ ...issued, baseUrl: stage.baseUrl })
        : showIssued(issued, stage, options);
    }),
  );

command('list', 'List the keys, newest first.')
  .option('--client <name>', 'only keys of one client')
  .option('--json', 'print JSON', false)
  .action((options: StageChoice & { json: boolean; client?: string }) =>
    run(options, async (stage) => {
      const keys = await listKeys(stage, options);
      if (options.json) return JSON.stringify(keys);
      // Loaded on demand: the other commands need no table.
      const { keyTable } = await import('./key-table.ts');
      return keyTable(keys);
    }),
  );

command(
  'rotate <keyId>',
  'Issue a new key with the lifetime of the old one. The old key expires after an overlap.',
)
  .option('--overlap <duration>', 'how long the old key stays valid, in s, m, h or d', '7d')
  .option(...expires)
  .option('--json', 'print one line of JSON', false)
  .action((keyId: string, options: StageChoice & { json: boolean; overlap: string; expires?: string }) =>
    run(options, async (stage) => {
      const { issued, old } = await rotateKey(stage, keyId, options);
      if (options.json) return JSON.stringify({ ...issued, baseUrl: stage.baseUrl });
      const end = old.revoked ? `was revoked at ${old.revoked}` : `expires at ${old.expires}`;
      return `${showIssued(issued, stage, options)}\n\nThe old key ${keyId} ${end}.`;
    }),
  );

command('revoke <keyId>', 'Revoke a key.').action((keyId: string, options: StageChoice) =>
  run(options, async (stage) => {
    const { client } = await revokeKey(stage, keyId);
    return `Revoked ${keyId} of ${client ?? 'an unknown client'}. It may still work for ${authorizerCacheSeconds} seconds, while API Gateway caches the authorizer's response.`;
  }),
);

command('verify', 'Show the id, client and state of a key read from standard input.')
  .option('--for <duration>', 'fail unless the key stays valid for this long, such as 14d')
  .action((options: StageChoice & { for?: string }) =>
    run(options, async (stage) => {
      const key = await verifyKey(stage, await readSecret('API key: '), options.for);
      if (!key.isValid) process.exitCode = 1;
      const validity = `${key.isValid ? 'valid' : 'not valid'}${options.for ? ` for ${options.for}` : ''}`;
      return `${key.keyId} of ${key.client ?? 'an unknown client'} is ${validity}: ${key.state}, expires: ${key.expires ?? 'never'}.`;
    }),
  );

await program.parseAsync();

function showIssued(issued: IssuedKey, { baseUrl }: OpenStage, { stage }: StageChoice): string {
  const { key, keyId, client, expires } = issued;
  // It has the name of a deployed stage, too, because the local API is as deployed.
  const scope =
    stage === localStage ? ' Only the local API accepts it: for a deployed stage, pass --stage.' : '';
  const use = baseUrl === undefined ? '' : `\n\nexport BASE_URL=${baseUrl}\nexport API_KEY=${key}`;
  return `${key}

This is key ${keyId} of ${client} (expires: ${expires ?? 'never'}). It will not be shown again.${scope}${use}`;
}

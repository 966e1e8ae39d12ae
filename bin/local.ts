import { enableCompileCache } from 'node:module';
import { Option } from 'commander';
import { defaultPort } from '../infra/local/default-port.ts';
import { stageNames } from '../infra/settings/stage-names.ts';
import { createCommand, fail } from './cli/create-command.ts';
import { integerBetween } from './cli/integer-between.ts';
import type { ServeOptions } from './local/serve.ts';

interface Flags extends ServeOptions {
  readonly watch: boolean;
}

const flags = createCommand(
  'npm start --',
  'Serves the API on this machine, with an embedded DynamoDB, from the stack that cdk deploy deploys.',
)
  .option(
    '--port <number>',
    'the port to listen on, 0 for any free one',
    integerBetween(0, 65_535),
    defaultPort,
  )
  .addOption(new Option('--stage <name>', 'the stage to serve').choices(stageNames).default('staging'))
  .option('--data <directory>', 'keep the tables in this directory (default: in memory)')
  .option('--pets <number>', 'how many sample pets to create', integerBetween(0, 1_000_000), 12)
  .option('--json', 'print one line of JSON when ready, and the access log on standard error', false)
  .option(
    '--watch',
    'serve changes to functions/, infra/ and shared/ at once, the tables and the key kept',
    false,
  )
  .addOption(
    new Option(
      '--inspect [port]',
      'let a debugger stop the functions: from their sources, without time limits',
    )
      .argParser(integerBetween(0, 65_535))
      .preset('9229')
      .implies({ watch: true }),
  )
  .parse()
  .opts<Flags>();

// The CDK alone takes half a second to compile.
enableCompileCache();

try {
  // What the arguments do not ask for is not loaded.
  if (flags.watch) await (await import('./local/supervise.ts')).supervise(flags);
  else await (await import('./local/serve.ts')).serve(flags);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
  process.exit();
}

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Option } from 'commander';
import { defaultPort, defaultStage } from '../infra/default-address.ts';
import { createCommand } from './cli/create-command.ts';
import { integerBetween, percentage } from './cli/number-options.ts';
import type { ServeOptions } from './local/serve.ts';
import { stop, stopOnSignals } from './local/stop.ts';

const options = createCommand(
  'npm start --',
  'Serves the API on this machine, with an embedded DynamoDB, from the stack that cdk deploy deploys.',
)
  .option(
    '--port <number>',
    'the port to listen on, 0 for any free one',
    integerBetween(0, 65_535),
    defaultPort,
  )
  .option('--stage <name>', 'the stage to serve', defaultStage)
  .addOption(
    new Option(
      '--assembly <directory>',
      'serve a cloud assembly, such as cdk.out, instead of the sources',
    ).conflicts(['watch', 'inspect']),
  )
  .option('--fresh', 'delete the tables and the key that earlier starts have kept', false)
  .option(
    '--pets <number>',
    'how many sample pets to create in new tables (default: 12)',
    integerBetween(0, 1_000_000),
  )
  .option('--throttle <share>', 'throttle this share of calls to DynamoDB, such as 5%', percentage)
  .option('--fail <share>', 'lose this share of responses after the work is done, such as 2%', percentage)
  .option('--strict', 'stop if anything in the template is not emulated', false)
  .option('--json', 'print one line of JSON when ready, and the logs as JSON on standard error', false)
  .option('--watch', 'reload changed sources, with the same port, tables and key', false)
  .addOption(
    new Option(
      '--inspect',
      'debug the functions from their sources, without limits of time and memory',
    ).implies({ watch: true }),
  )
  .parse()
  .opts<ServeOptions>();

// Also for child processes and workers. The default is a directory that all users of the machine share, and
// its contents are executed.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, '../node_modules/.cache/node-compile-cache');
enableCompileCache();

stopOnSignals(() => process.exit());
// Loaded late: --help skips it, and the cache applies.
await import('./local/serve.ts').then(({ serve }) => serve(options)).catch(stop);

import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { Option } from 'commander';
import { createCommand } from '../cli/create-command.ts';
import { defaultStage } from '../cli/default-address.ts';
import { awsEndpointPath } from '../local-api/aws-endpoint.ts';
import { addReadyOptions } from './ready-options.ts';
import type { ServeOptions } from './serve.ts';
import { stop, stopOnSignals } from './stop.ts';

const command = createCommand(
  'npm start --',
  'Serves the API on this machine, with an embedded DynamoDB, from the stack that cdk deploy deploys.',
);
const options = addReadyOptions(command)
  .option('--stage <name>', 'the stage to serve', defaultStage)
  .addOption(
    new Option(
      '--assembly <directory>',
      'serve a cloud assembly, such as cdk.out, instead of the sources',
    ).conflicts(['watch', 'inspect']),
  )
  .option('--strict', 'stop if anything in the template is not emulated', false)
  .option('--watch', 'reload changed sources, with the same port, tables and key', false)
  .addOption(
    new Option(
      '--inspect',
      'debug the functions from their sources, without limits of time and memory',
    ).implies({ watch: true }),
  )
  .addHelpText(
    'after',
    `\nThe tables are at http://127.0.0.1:<port>${awsEndpointPath}, for --endpoint-url of the AWS CLI.`,
  )
  .parse()
  .opts<ServeOptions>();

// Also for child processes and workers. The default is a directory that all users of the machine share, and
// its contents are executed.
process.env['NODE_COMPILE_CACHE'] ??= join(
  import.meta.dirname,
  '../../node_modules/.cache/node-compile-cache',
);
enableCompileCache();

stopOnSignals(() => process.exit());
// Loaded late: --help skips it, and the cache applies.
await import('./serve.ts').then(({ serve }) => serve(options)).catch(stop);

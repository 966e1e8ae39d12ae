import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPort } from '../../infra/default-address.ts';
import { apiVersion } from '../../shared/service.ts';
import { createCommand } from '../cli/create-command.ts';
import { integerBetween, percentage } from '../cli/number-options.ts';
import { type ReadyOptions, startReadyApi } from '../local/ready-api.ts';
import { stop, stopOnSignals } from '../local/stop.ts';
import { packedDeployment } from './packed-deployment.ts';
import { packedReference } from './packed-reference.ts';

// What the command of the package runs, from its folder lib/.

/** In the current directory, so that each project has its own. */
const dataFolder = '.pet-store-sandbox';

const inPackage = (path: string) => join(import.meta.dirname, '..', path);

const { version }: { version: string } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));

const options = createCommand(
  'pet-store-sandbox',
  `Serves version ${version} of the Pet Store API (/${apiVersion}) on this machine, to test clients against. \
It is the service as deployed, with an embedded database in place of AWS, and contacts no network.`,
)
  .version(version)
  .option(
    '--port <number>',
    'the port to listen on, 0 for any free one',
    integerBetween(0, 65_535),
    defaultPort,
  )
  .option('--fresh', 'delete the pets and the key that earlier starts have kept', false)
  .option(
    '--pets <number>',
    'how many sample pets to create at a fresh start (default: 12)',
    integerBetween(0, 1_000_000),
  )
  .option('--throttle <share>', 'throttle this share of calls to the database, such as 5%', percentage)
  .option('--fail <share>', 'lose this share of responses after the work is done, such as 2%', percentage)
  .option(
    '--block <share>',
    'block this share of requests, as above the limit of a key, such as 5%',
    percentage,
  )
  .option('--json', 'print one line of JSON when ready, and the logs as JSON on standard error', false)
  .addHelpText(
    'after',
    `\nPets and key are kept in ${dataFolder} in the current directory, except with --port 0.`,
  )
  .parse()
  .opts<ReadyOptions>();

stopOnSignals(() => process.exit());

try {
  await startReadyApi(packedDeployment(inPackage('deployment')), {
    ...options,
    dataFile: join(dataFolder, `${options.port}.ndjson`),
    renderReference: packedReference(inPackage('reference')),
  });
} catch (error) {
  stop(error);
}

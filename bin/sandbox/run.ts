import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiVersion } from '../../shared/service.ts';
import { createCommand } from '../cli/create-command.ts';
import { startReadyApi } from '../local/ready-api.ts';
import { addReadyOptions, type ReadyOptions } from '../local/ready-options.ts';
import { stop, stopOnSignals } from '../local/stop.ts';
import { faultOnRequest } from './fault-on-request.ts';
import { packedDeployment } from './packed-deployment.ts';
import { packedReference } from './packed-reference.ts';

// What the command of the package runs, from its folder lib/.

/** In the current directory, so that each project has its own. */
const dataFolder = '.pet-store-sandbox';

const inPackage = (path: string) => join(import.meta.dirname, '..', path);

const { version }: { version: string } = JSON.parse(readFileSync(inPackage('package.json'), 'utf8'));

const command = createCommand(
  'pet-store-sandbox',
  `Serves version ${version} of the Pet Store API (/${apiVersion}) on this machine, to test clients against. \
It is the service as deployed, with an embedded database in place of AWS, and contacts no network.`,
);
const options = addReadyOptions(command.version(version))
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
    dataFile: join(dataFolder, `${options.port}.sqlite`),
    intercept: faultOnRequest,
    renderReference: packedReference(inPackage('reference')),
  });
} catch (error) {
  stop(error);
}

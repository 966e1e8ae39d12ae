import querystring from 'node:querystring';
import { Command, Option } from 'commander';
import { defaultPort } from '../infra/local/default-port.ts';
import type { RequestRecord } from '../infra/local/http-server.ts';
import { type LocalApi, startLocalApi } from '../infra/local/local-api.ts';
import { synthesize } from '../infra/local/template/synthesize.ts';
import { type StageName, stageNames } from '../infra/stage-names.ts';
import { hideApiKeys } from '../shared/contract/api-key.ts';
import { integerBetween } from './cli/integer-between.ts';
import { createSamplePets } from './local/sample-pets.ts';

interface Flags {
  readonly port: number;
  readonly stage: StageName;
  readonly data?: string;
  readonly pets: number;
  readonly json: boolean;
}

const signals = ['SIGINT', 'SIGTERM'] as const;

const flags = new Command('npm start --')
  .description(
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
  .showSuggestionAfterError(false)
  .allowExcessArguments(false)
  .parse()
  .opts<Flags>();

try {
  await serve(flags);
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : error}`);
  process.exit(1);
}

async function serve({ port, stage, data, pets, json }: Flags): Promise<void> {
  const stack = synthesize(stage);
  process.once('exit', stack.dispose);
  const stopAtOnce = () => process.exit(1);
  for (const signal of signals) process.once(signal, stopAtOnce);

  let isReady = false;
  const api = await startLocalApi(stack, {
    port,
    dataDirectory: data,
    onRequest: (record) => {
      if (isReady) log(record, json);
    },
  });
  let isClosing = false;
  const stop = () => {
    isClosing = true;
    return api.close();
  };
  for (const signal of signals) process.off(signal, stopAtOnce).once(signal, stop);

  const petId = await createSamplePets(pets, api).catch((error: unknown) => {
    if (!isClosing) throw error;
  });
  if (isClosing) return;
  const { baseUrl, apiKey, docsUrl } = api;
  console.log(json ? JSON.stringify({ baseUrl, apiKey, docsUrl }) : greeting(api, petId ?? '1'));
  isReady = true;
}

function greeting({ baseUrl, apiKey, docsUrl }: LocalApi, petId: string): string {
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`;
  const newPet = JSON.stringify({ name: 'Bella', categoryId: 1 });
  return `Pet Store is ready.

  Base URL  ${baseUrl}
  API key   ${apiKey}
  Reference ${docsUrl}

List, create, get:

  curl -i '${baseUrl}/pets?limit=5&status=available' ${authorization}
  curl -i '${baseUrl}/pets' ${authorization} -H 'Content-Type: application/json' -d '${newPet}'
  curl -i '${baseUrl}/pets/${petId}' ${authorization}
`;
}

/** A line for a person, any key in the path hidden; or else that of the access log, standard output being taken. */
function log(
  { method, path, status, milliseconds, requestId, accessLogLine }: RequestRecord,
  json: boolean,
): void {
  if (json) console.error(accessLogLine);
  else console.log(`${method} ${withoutKey(path)} ${status} ${milliseconds} ms ${requestId}`);
}

/** A key is hidden however it is written. */
function withoutKey(path: string): string {
  const decoded = querystring.unescape(path);
  return hideApiKeys(decoded) === decoded ? path : hideApiKeys(encodeURI(decoded));
}

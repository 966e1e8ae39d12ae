import { Command, Option } from 'commander';
import { defaultPort } from '../infra/local/default-port.ts';
import type { RequestRecord } from '../infra/local/http-server.ts';
import { startLocalApi } from '../infra/local/local-api.ts';
import { synthesize } from '../infra/local/template/synthesize.ts';
import { type StageName, stageNames } from '../infra/stage-names.ts';
import { integerBetween } from './cli/integer-between.ts';
import { greeting } from './local/greeting.ts';
import { localKey } from './local/local-key.ts';
import { requestLogLine } from './local/request-log.ts';
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
  let stop: () => unknown = () => process.exit(1);
  for (const signal of signals) process.once(signal, () => stop());
  // `npm start | head` ends it, as it ends other programs.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => stop());

  let isReady = false;
  const api = await startLocalApi(stack, {
    port,
    dataDirectory: data,
    onRequest: (record) => {
      if (isReady) log(record, json);
    },
  });
  let closed: Promise<void> | undefined;
  stop = () => {
    closed ??= api.close();
  };

  try {
    const apiKey = await localKey(api, data);
    const petId = await createSamplePets(pets, { ...api, apiKey });
    api.serveReference(apiKey);
    const address = { baseUrl: api.baseUrl, apiKey, docsUrl: api.docsUrl };
    console.log(json ? JSON.stringify(address) : greeting(address, petId ?? '1'));
    isReady = true;
  } catch (error) {
    if (!closed) throw error;
  }
}

/** A line for a person, or else that of the access log, standard output being taken. */
function log(record: RequestRecord, json: boolean): void {
  if (json) console.error(record.accessLogLine);
  else console.log(requestLogLine(record));
}

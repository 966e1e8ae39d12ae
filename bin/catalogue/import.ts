import { constants } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { Presets, SingleBar } from 'cli-progress';
import { InvalidArgumentError, Option } from 'commander';
import { pMapIterable } from 'p-map';
import { stringifyJson } from '../../shared/contract/json.ts';
import { describeApiError, findApiKey, withBaseUrl } from '../cli/api-options.ts';
import type { ClientEvent } from '../cli/calls/client-options.ts';
import { HttpClient } from '../cli/calls/http-client.ts';
import { createCommand, fail, print } from '../cli/create-command.ts';
import { integerBetween } from '../cli/number-options.ts';
import { createOnce } from './api-calls.ts';
import { type ColumnOptions, checkColumns, importedFields } from './columns.ts';
import { importRow, keyPrefixOf, type RowImport } from './import-row.ts';
import { type Format, formatOf, formats, readRows } from './read-rows.ts';
import type { Row } from './row.ts';

interface Options extends Omit<ColumnOptions, 'map'> {
  readonly baseUrl: string;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly format?: Format;
  readonly map?: ColumnOptions['map'];
}

const command = withBaseUrl(
  createCommand(
    'npm run -s import --',
    'Imports a catalogue. Repeating the same command creates no duplicates.\nRejected rows go to standard output as NDJSON, to be fixed and imported.',
  ),
)
  .argument('<file>', 'the catalogue, in CSV or NDJSON')
  .addOption(new Option('--format <name>', 'format of the file (default: from its name)').choices(formats))
  .option('--map <column=field>', 'rename a column to a field; can be repeated', parseMap)
  .option('--ignore-unknown', 'ignore columns that are not fields of a pet', false)
  .option('--new-ids', 'import rows with ids, such as an export, as new pets', false)
  .option('--concurrency <number>', 'number of concurrent requests', integerBetween(1, 1000), 16)
  .option('--dry-run', 'check every row and send nothing', false)
  .addHelpText('after', '\nExit codes: 0 all imported, 1 failed, 2 some rows rejected, 130 interrupted.')
  .parse();
const [file = ''] = command.args;
const options = command.opts<Options>();

const barFormat = '{bar} {value}/{total} | {eta_formatted} left{note}';
const interruption = new AbortController();
const { signal } = interruption;
// A second signal ends the process.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(name, () => interruption.abort());
process.stdout.on('error', (error) => {
  fail(error);
  process.exit();
});

try {
  process.exitCode = await run(options);
} catch (error) {
  fail(signal.aborted ? 'Interrupted: run the same command again to resume.' : describeApiError(error));
  if (signal.aborted) process.exitCode = 130;
}
// After a failure, requests may still be in flight.
interruption.abort();

async function run({ baseUrl, concurrency, dryRun, map = new Map(), ...options }: Options) {
  const format = options.format ?? formatOf(file);
  if (statSync(file).size > constants.MAX_STRING_LENGTH) {
    throw new Error(
      `${file} has more than 512 MiB: split it, as split -l 1000000 does, begin each part of CSV with the line of names, and import each part with --format.`,
    );
  }
  const content = readFileSync(file);
  const rows = readRows(content, format, map);
  checkColumns(rows, { ...options, map });
  const keyPrefix = keyPrefixOf(content, format, map);

  const barOptions = { format: barFormat, noTTYOutput: true, etaBuffer: 1000 };
  const progress = new SingleBar(barOptions, Presets.shades_classic);
  const onEvent = ({ type }: ClientEvent) => {
    if (type === 'retry') progress.update({ note: ', retrying' });
  };
  const http = dryRun ? undefined : new HttpClient({ baseUrl, apiKey: await findApiKey(), signal, onEvent });
  const create: RowImport['create'] = async (pet, key) => (http ? createOnce(http, pet, key) : 'created');
  const toOutcome = (row: Row) => importRow(row, { create, keyPrefix, map });
  const outcomes = pMapIterable(rows, toOutcome, { concurrency, preserveOrder: false });

  const counts = { created: 0, replayed: 0, rejected: 0 };
  progress.start(rows.length, 0, { note: '' });
  try {
    for await (const outcome of outcomes) {
      counts[typeof outcome === 'string' ? outcome : 'rejected'] += 1;
      if (typeof outcome === 'object') await print(`${stringifyJson(outcome)}\n`);
      progress.increment({ note: '' });
    }
  } finally {
    progress.stop();
    const { created, replayed, rejected } = counts;
    const verb = dryRun ? 'Would create' : 'Created';
    console.error(`${verb} ${created}, already existed ${replayed}, rejected ${rejected}.`);
  }
  return counts.rejected > 0 ? 2 : 0;
}

function parseMap(pair: string, map: ColumnOptions['map'] = new Map()): ColumnOptions['map'] {
  const separator = pair.lastIndexOf('=');
  const column = pair.slice(0, separator);
  const field = pair.slice(separator + 1);
  const fields = [...importedFields.keys()];
  if (separator > 0 && fields.includes(field)) return new Map([...map, [column, field]]);
  throw new InvalidArgumentError(`It must be column=field, where field is one of ${fields.join(', ')}.`);
}

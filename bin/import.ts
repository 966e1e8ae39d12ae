import type { Stats } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import { PetStoreClient, PetStoreError } from '../shared/client/pet-store-client.ts';
import { explainFailure } from './catalogue/explain-failure.ts';
import { addToMap, checkColumns, type FieldMap } from './catalogue/field-map.ts';
import { type ImportCounts, type ImportOptions, importCatalogue } from './catalogue/import-catalogue.ts';
import { createProgress } from './catalogue/progress.ts';
import { type Format, formatOf, formats } from './catalogue/read-rows.ts';
import { refusedLine } from './catalogue/refused-line.ts';
import { retriesTold, retriesWhereThereIsAnApi } from './catalogue/retries.ts';
import { isStandardInput, openSource, spool, statInput } from './catalogue/source.ts';
import { findApiKey, withBaseUrl } from './cli/api-options.ts';
import { createCommand, fail } from './cli/create-command.ts';
import { integerBetween } from './cli/integer-between.ts';
import { messageText } from './cli/message-text.ts';
import { OutputFile } from './cli/output-file.ts';

const exitCodes = { success: 0, failure: 1, partial: 2, interrupted: 130 } as const;

interface Options {
  readonly baseUrl: string;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly force: boolean;
  readonly format?: Format;
  readonly map?: FieldMap;
  readonly refused?: string;
  readonly unescapeFormulas: boolean;
}

const command = withBaseUrl(
  createCommand(
    'npm run import --',
    'Moves a catalogue in through the API. Imported again, the same file creates nothing twice.',
  ),
)
  .argument('<file>', 'the catalogue, - for standard input')
  .addOption(
    new Option('--format <name>', 'the format (default: that of the file name, or ndjson)').choices(formats),
  )
  .option(
    '--map <column=field>',
    'which field a column is, such as category_id=categoryId; column= leaves it out',
    mapOption,
  )
  .option('--unescape-formulas', "in CSV, take away the ' that export has put in front of names", false)
  .option('--concurrency <number>', 'how many creates are under way at once', integerBetween(1, 1000), 16)
  .option('--dry-run', 'check every line and send nothing', false)
  .option('--refused <file>', 'where refused rows go (default: the file with .refused.ndjson added)')
  .option('--force', 'replace the file of refused rows if it is there already', false)
  .addHelpText('after', '\nExit codes: 0 all imported, 1 failed, 2 some lines refused, 130 interrupted.')
  .parse();
const [file = '-'] = command.args;
const options = command.opts<Options>();

const interruption = new AbortController();
const { signal } = interruption;
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // The second one does not wait for what is under way.
  process.on(name, () => (signal.aborted ? process.exit(exitCodes.interrupted) : interruption.abort()));
}

try {
  process.exitCode = await run(file, options);
} catch (error) {
  if (signal.aborted) process.exitCode = interrupted();
  else fail(explainFailure(error, options.baseUrl));
}

async function run(file: string, options: Options): Promise<number> {
  const { dryRun, map = new Map(), unescapeFormulas } = options;
  const input = statInput(file);
  const apiKey = dryRun ? '' : await findApiKey({ isInputTaken: isStandardInput(input) });
  const format = options.format ?? formatOf(file);
  if (unescapeFormulas && format !== 'csv') throw new Error('--unescape-formulas is for CSV.');

  const isFile = input.isFile() && !isStandardInput(input);
  const readable = isFile ? file : await spool(file, input, signal);
  const source = await openSource({ file: readable, name: file, format, signal });
  checkColumns(source.columns, map);

  const work = { source, understanding: { map, unescapesFormulas: unescapeFormulas }, signal };
  const refusedFile = options.refused ?? `${isFile ? file : 'import'}.refused.ndjson`;
  const counts = dryRun ? await check(work) : await send(work, options, apiKey, { name: refusedFile, input });
  if (signal.aborted) return interrupted();
  return counts.refused > 0 ? exitCodes.partial : exitCodes.success;
}

function interrupted(): number {
  console.log('Interrupted: run the same command again to go on; what was created is not created again.');
  return exitCodes.interrupted;
}

type Work = Pick<ImportOptions, 'source' | 'understanding' | 'signal'>;

/** Checks every row and sends none. */
async function check(work: Work): Promise<ImportCounts> {
  const counts = await importCatalogue({
    ...work,
    concurrency: 1,
    onRow: () => undefined,
    onRefused: ({ line, reason }) => console.log(messageText(`line ${line}: ${reason}`)),
  });
  console.log(`${counts.created} lines are good, ${counts.refused} would be refused; nothing was sent.`);
  return counts;
}

/** Sends every row that is a pet, and writes the others to a file. */
async function send(
  work: Work,
  { baseUrl, concurrency, force }: Options,
  apiKey: string,
  { name, input }: { readonly name: string; readonly input: Stats },
): Promise<ImportCounts> {
  const refusedRows = new OutputFile(name, { force, input });
  const access = { baseUrl, apiKey };
  await new PetStoreClient(access, retriesWhereThereIsAnApi(signal))
    .listPets({ limit: 1 })
    .next()
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });

  const progress = createProgress(work.source.rowCount);
  const startedAt = performance.now();
  const counts = await importCatalogue({
    ...work,
    api: new PetStoreClient(access, retriesTold(signal, progress.wait)),
    concurrency,
    onRow: progress.update,
    onRefused: (row) => refusedRows.write(refusedLine(row)),
  })
    .catch((error: unknown) => {
      if (!(error instanceof PetStoreError)) throw error;
      throw new Error(
        `${explainFailure(error, baseUrl)} What was created stays: run the same command to go on.`,
      );
    })
    .finally(progress.stop);

  console.log(summary(counts, (performance.now() - startedAt) / 1000));
  if (signal.aborted || counts.refused === 0) return counts;
  refusedRows.complete();
  console.log(
    messageText(`The refused rows and the reasons are in ${name}: mend them there, and import it.`),
  );
  return counts;
}

function summary({ created, replayed, refused }: ImportCounts, seconds: number): string {
  const rate = Math.round((created + replayed) / seconds);
  return `Created ${created}, there already ${replayed}, refused ${refused}, in ${seconds.toFixed(1)} s (${rate}/s).`;
}

/** Adds a pair such as `category_id=categoryId` to those that `--map` has given before. */
function mapOption(pair: string, map: FieldMap = new Map()): FieldMap {
  try {
    return addToMap(pair, map);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

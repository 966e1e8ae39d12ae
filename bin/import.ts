import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { CatalogueApi } from './catalogue/api.ts';
import { explainFailure } from './catalogue/explain-failure.ts';
import { type ImportCounts, type ImportOptions, importCatalogue } from './catalogue/import-catalogue.ts';
import { createProgress } from './catalogue/progress.ts';
import { createRefusedLines } from './catalogue/refused-lines.ts';
import { type FieldNames, type Format, formats } from './catalogue/rows.ts';
import { openSource, spool } from './catalogue/source.ts';
import { findApiKey, withBaseUrl } from './cli/api-options.ts';
import { integerBetween } from './cli/integer-between.ts';

const exitCodes = { success: 0, failure: 1, partial: 2, interrupted: 130 } as const;

interface Options {
  readonly baseUrl: string;
  readonly concurrency: number;
  readonly dryRun: boolean;
  readonly format?: Format;
  readonly map: FieldNames;
  readonly refused?: string;
}

const command = withBaseUrl(new Command('npm run import --'))
  .description('Moves a catalogue in through the API. Imported again, the same file creates nothing twice.')
  .argument('<file>', 'the catalogue, - for standard input')
  .addOption(
    new Option('--format <name>', 'the format (default: that of the file name, or ndjson)').choices(formats),
  )
  .option(
    '--map <name=field>',
    'what a field is called in the file, such as category_id=categoryId',
    addName,
    new Map(),
  )
  .option('--concurrency <number>', 'how many creates are under way at once', integerBetween(1, 1000), 16)
  .option('--dry-run', 'check every line and send nothing', false)
  .option('--refused <file>', 'where refused lines go (default: the file with .refused.ndjson added)')
  .addHelpText('after', '\nExit codes: 0 all imported, 1 failed, 2 some lines refused, 130 interrupted.')
  .parse();
const [file = '-'] = command.args;
const options = command.opts<Options>();

try {
  process.exitCode = await run(file, options);
} catch (error) {
  console.error(`error: ${explainFailure(error, options.baseUrl)}`);
  process.exitCode = exitCodes.failure;
}

async function run(file: string, options: Options): Promise<number> {
  const { dryRun, map: names } = options;
  const isPiped = file === '-';
  const apiKey = dryRun ? '' : await findApiKey({ isInputTaken: isPiped });
  const format = options.format ?? (file.endsWith('.csv') ? 'csv' : 'ndjson');
  const source = await openSource(isPiped ? await spool(process.stdin) : file, format);

  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());
  const work = { source, names, signal: interruption.signal };

  const refusedFile = options.refused ?? `${isPiped ? 'import' : file}.refused.ndjson`;
  const counts = dryRun ? await check(work) : await send(work, options, apiKey, refusedFile);
  if (interruption.signal.aborted) {
    console.log('Interrupted: run the same command again to go on; what was created is not created again.');
    return exitCodes.interrupted;
  }
  return counts.refused > 0 ? exitCodes.partial : exitCodes.success;
}

type Work = Pick<ImportOptions, 'source' | 'names' | 'signal'>;

/** Checks every row and sends none. */
async function check(work: Work): Promise<ImportCounts> {
  const counts = await importCatalogue({
    ...work,
    concurrency: 1,
    onRow: () => undefined,
    onRefused: (line, reason) => console.log(`line ${line}: ${reason}`),
  });
  console.log(`${counts.created} lines are good, ${counts.refused} would be refused; nothing was sent.`);
  return counts;
}

/** Sends every row that is a pet, and writes the others to a file. */
async function send(work: Work, { baseUrl, concurrency }: Options, apiKey: string, refusedFile: string) {
  accessSync(dirname(refusedFile), constants.W_OK);
  const api = new CatalogueApi(baseUrl, apiKey, work.signal);
  await api.check().catch((error: unknown) => {
    if (!work.signal.aborted) throw error;
  });

  const onRefused = createRefusedLines(refusedFile);
  const progress = createProgress(work.source.rowCount);
  const startedAt = performance.now();
  const counts = await importCatalogue({
    ...work,
    api,
    concurrency,
    onRow: progress.update,
    onRefused,
  })
    .catch((error: unknown) => {
      throw new Error(
        `${explainFailure(error, baseUrl)} What was created stays: run the same command to go on.`,
      );
    })
    .finally(progress.stop);

  console.log(summary(counts, (performance.now() - startedAt) / 1000));
  if (counts.refused > 0) console.log(`The refused lines and their reasons are in ${refusedFile}.`);
  return counts;
}

function summary({ created, replayed, refused }: ImportCounts, seconds: number): string {
  const rate = Math.round((created + replayed) / seconds);
  return `Created ${created}, there already ${replayed}, refused ${refused}, in ${seconds.toFixed(1)} s (${rate}/s).`;
}

/** Adds a pair such as `category_id=categoryId` to the names that `--map` has given before. */
function addName(pair: string, names: FieldNames): FieldNames {
  const [name, field, ...rest] = pair.split('=');
  if (!name || !field || rest.length > 0) throw new InvalidArgumentError('It must be name=field.');
  return new Map([...names, [name, field]]);
}

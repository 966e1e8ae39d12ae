import { Command, InvalidArgumentError, Option } from 'commander';
import { CatalogueApi } from '../infra/catalogue/api.ts';
import { explainFailure } from '../infra/catalogue/failure.ts';
import { type ImportCounts, importCatalogue } from '../infra/catalogue/import-catalogue.ts';
import { createProgress } from '../infra/catalogue/progress.ts';
import { createRefusedLines } from '../infra/catalogue/refused-lines.ts';
import { type FieldNames, type Format, formats } from '../infra/catalogue/rows.ts';
import { openSource, spool } from '../infra/catalogue/source.ts';
import { findApiKey, withBaseUrl } from './api-options.ts';
import { integerBetween } from './integer-between.ts';

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
  const { baseUrl, concurrency, dryRun, map: names } = options;
  const isPiped = file === '-';
  const api = dryRun ? undefined : new CatalogueApi(baseUrl, await findApiKey({ isInputTaken: isPiped }));
  const format = options.format ?? (file.endsWith('.csv') ? 'csv' : 'ndjson');
  const source = await openSource(isPiped ? await spool(process.stdin) : file, format);

  const interruption = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort());

  const refusedFile = options.refused ?? `${isPiped ? 'import' : file}.refused.ndjson`;
  const refusedLines = createRefusedLines(refusedFile);
  const progress = dryRun ? undefined : createProgress(source.rowCount);
  const startedAt = performance.now();
  const counts = await importCatalogue({
    source,
    names,
    concurrency,
    signal: interruption.signal,
    ...(api && { api }),
    onRow: (done) => progress?.update(done),
    onRefused: dryRun ? (line, reason) => console.log(`line ${line}: ${reason}`) : refusedLines.add,
  }).finally(() => progress?.stop());
  await refusedLines.close();

  const seconds = (performance.now() - startedAt) / 1000;
  console.log(dryRun ? checked(counts) : summary(counts, seconds));
  if (!dryRun && counts.refused > 0)
    console.log(`The refused lines and their reasons are in ${refusedFile}.`);
  if (interruption.signal.aborted) {
    console.log('Interrupted: run the same command again to go on; what was created is not created again.');
    return exitCodes.interrupted;
  }
  return counts.refused > 0 ? exitCodes.partial : exitCodes.success;
}

function summary({ created, replayed, refused }: ImportCounts, seconds: number): string {
  const rate = Math.round((created + replayed) / seconds);
  return `Created ${created}, there already ${replayed}, refused ${refused}, in ${seconds.toFixed(1)} s (${rate}/s).`;
}

function checked({ created, refused }: ImportCounts): string {
  return `${created} lines are good, ${refused} would be refused; nothing was sent.`;
}

/** Adds a pair such as `category_id=categoryId` to the names that `--map` has given before. */
function addName(pair: string, names: FieldNames): FieldNames {
  const [name, field, ...rest] = pair.split('=');
  if (!name || !field || rest.length > 0) throw new InvalidArgumentError('It must be name=field.');
  return new Map([...names, [name, field]]);
}

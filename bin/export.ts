import { Option } from 'commander';
import { printable } from '../infra/local/text/printable.ts';
import { PetStoreClient } from '../shared/client/pet-store-client.ts';
import { PetStatus } from '../shared/contract/schemas/pet.ts';
import { explainFailure } from './catalogue/explain-failure.ts';
import { exportCatalogue } from './catalogue/export-catalogue.ts';
import { type Format, formatOf, formats } from './catalogue/read-rows.ts';
import { retriesWhereThereIsAnApi } from './catalogue/retries.ts';
import { findApiKey, withBaseUrl } from './cli/api-options.ts';
import { createCommand, fail } from './cli/create-command.ts';
import { OutputFile } from './cli/output-file.ts';

interface Options {
  readonly baseUrl: string;
  readonly escapeFormulas: boolean;
  readonly force: boolean;
  readonly format?: Format;
  readonly out?: string;
  readonly status?: PetStatus;
}

const options = withBaseUrl(
  createCommand('npm run export --', 'Writes the catalogue to a file or to standard output.'),
)
  .addOption(
    new Option('--format <name>', 'the format (default: that of the file name, or ndjson)').choices(formats),
  )
  .addOption(new Option('--status <name>', 'only the pets of a status').choices(PetStatus.options))
  .option('--out <file>', 'the file (default: standard output)')
  .option('--force', 'replace the file if it is there already', false)
  .option(
    '--escape-formulas',
    "in CSV, put ' in front of names that a spreadsheet would take for formulas",
    false,
  )
  .parse()
  .opts<Options>();

// What is written beside its place goes when the process exits, and not when it is killed.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(130));
// Who reads the output, head say, has had enough.
process.stdout.on('error', () => process.exit(0));

try {
  await run(options);
} catch (error) {
  fail(explainFailure(error, options.baseUrl));
}

async function run({ baseUrl, out, force, status, escapeFormulas, ...options }: Options): Promise<void> {
  const format = options.format ?? formatOf(out ?? '');
  if (escapeFormulas && format !== 'csv') throw new Error('--escape-formulas is for CSV.');
  const file = out === undefined ? undefined : new OutputFile(out, { force });
  const access = { baseUrl, apiKey: await findApiKey({ isInputTaken: false }) };
  await new PetStoreClient(access, retriesWhereThereIsAnApi()).listPets({ limit: 1 }).next();

  const catalogue = exportCatalogue(new PetStoreClient(access), {
    format,
    status,
    escapesFormulas: escapeFormulas,
  });
  file?.write('');
  for await (const text of catalogue) {
    if (file) file.write(text);
    else await print(text);
  }
  file?.complete();
}

/** Prints on a terminal what it could take for commands as text; elsewhere all is as it is. */
async function print(text: string): Promise<void> {
  const printed = process.stdout.isTTY ? printable(text) : text;
  if (!process.stdout.write(printed)) await new Promise((resolve) => process.stdout.once('drain', resolve));
}

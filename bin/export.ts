import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Command, Option } from 'commander';
import { PetStatus } from '../shared/contract/pet.ts';
import { CatalogueApi } from './catalogue/api.ts';
import { explainFailure } from './catalogue/explain-failure.ts';
import { exportCatalogue } from './catalogue/export-catalogue.ts';
import { type Format, formats } from './catalogue/rows.ts';
import { findApiKey, withBaseUrl } from './cli/api-options.ts';

interface Options {
  readonly baseUrl: string;
  readonly format: Format;
  readonly out?: string;
  readonly status?: PetStatus;
}

const { baseUrl, format, out, status } = withBaseUrl(new Command('npm run export --'))
  .description('Writes the catalogue to a file or to standard output.')
  .addOption(new Option('--format <name>', 'the format').choices(formats).default('ndjson'))
  .addOption(new Option('--status <name>', 'only the pets of a status').choices(PetStatus.options))
  .option('--out <file>', 'the file (default: standard output)')
  .parse()
  .opts<Options>();

try {
  const api = new CatalogueApi(baseUrl, await findApiKey({ isInputTaken: false }));
  await api.check();
  const catalogue = Readable.from(exportCatalogue(api, format, status));
  await pipeline(catalogue, out === undefined ? process.stdout : createWriteStream(out));
} catch (error) {
  // Who reads the output, head say, has had enough.
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') process.exit(0);
  console.error(`error: ${explainFailure(error, baseUrl)}`);
  process.exitCode = 1;
}

import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { Option } from 'commander';
import { stringifyJson } from '../../shared/contract/json.ts';
import { PetStatus } from '../../shared/pets/pet.ts';
import { describeApiError, findApiKey, withBaseUrl } from '../cli/api-options.ts';
import { HttpClient } from '../cli/calls/http-client.ts';
import { createCommand, fail, print } from '../cli/create-command.ts';
import { readPages } from './api-calls.ts';
import { type Format, formatOf, formats } from './read-rows.ts';
import { csvOf } from './write-csv.ts';

const { baseUrl, escapeFormulas, output, status, ...options } = withBaseUrl(
  createCommand('npm run -s export --', 'Writes the catalogue to standard output, or to a file.'),
)
  .option('--output <file>', 'write to this file, in UTF-8')
  .addOption(
    new Option('--format <name>', "format of the output (default: from the file's name, or csv)").choices(
      formats,
    ),
  )
  .addOption(new Option('--status <name>', 'only the pets with this status').choices(PetStatus.options))
  .option('--no-escape-formulas', 'in CSV, do not put a quote before what a spreadsheet would evaluate')
  .parse()
  .opts<{ baseUrl: string; escapeFormulas: boolean; format?: Format; output?: string; status?: PetStatus }>();

process.stdout.on('error', (error) => {
  // A program such as head has read enough.
  if (!('code' in error && error.code === 'EPIPE')) fail(error);
  process.exit();
});

try {
  const format = options.format ?? (output === undefined ? 'csv' : formatOf(output));
  // An export can take hours: notice now that it cannot be written.
  if (output !== undefined) accessSync(dirname(output), constants.W_OK);
  const http = new HttpClient({ baseUrl, apiKey: await findApiKey() });
  const text = textOf(http, format);
  if (output === undefined) for await (const part of text) await print(part);
  // Until the export is complete, an earlier file keeps its content.
  else writeFileSync(output, (await Array.fromAsync(text)).join(''));
} catch (error) {
  fail(describeApiError(error));
}

async function* textOf(http: HttpClient, format: Format): AsyncGenerator<string> {
  let isFirst = true;
  for await (const pets of readPages(http, status)) {
    yield format === 'ndjson'
      ? pets.map((pet) => `${stringifyJson(pet)}\n`).join('')
      : csvOf(pets, isFirst, escapeFormulas);
    isFirst = false;
  }
}

import { appendFile, writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { type Pet, PetStoreClient } from '../shared/client/pet-store-client.ts';
import { stringifyJson } from '../shared/contract/json.ts';
import { PetStatus } from '../shared/contract/schemas/pet.ts';
import { csvOf } from './catalogue/csv.ts';
import { type Format, formats } from './catalogue/read-rows.ts';
import { describeApiError, findApiKey, withBaseUrl } from './cli/api-options.ts';
import { createCommand, fail, print } from './cli/create-command.ts';

const { baseUrl, escapeFormulas, format, output, status } = withBaseUrl(
  createCommand('npm run -s export --', 'Writes the catalogue to standard output, or to a file.'),
)
  .option('--output <file>', 'write to this file, in UTF-8')
  .addOption(new Option('--format <name>', 'format of the output').choices(formats).default('csv'))
  .addOption(new Option('--status <name>', 'only the pets with this status').choices(PetStatus.options))
  .option('--no-escape-formulas', 'in CSV, do not put a quote before what a spreadsheet would evaluate')
  .parse()
  .opts<{ baseUrl: string; escapeFormulas: boolean; format: Format; output?: string; status?: PetStatus }>();

process.stdout.on('error', (error) => {
  // A program such as head has read enough.
  if (!('code' in error && error.code === 'EPIPE')) fail(error);
  process.exit();
});

try {
  const api = new PetStoreClient({ baseUrl, apiKey: await findApiKey() });
  let header = true;
  for await (const { pets } of api.listPets({ ...(status && { status }) })) {
    const text = textOf(pets, header);
    if (output === undefined) await print(text);
    // An earlier export is replaced only once the API has responded.
    else await (header ? writeFile : appendFile)(output, text);
    header = false;
  }
} catch (error) {
  fail(describeApiError(error));
}

function textOf(pets: readonly Pet[], header: boolean): string {
  if (format === 'ndjson') return pets.map((pet) => `${stringifyJson(pet)}\n`).join('');
  return csvOf(pets, header, escapeFormulas);
}

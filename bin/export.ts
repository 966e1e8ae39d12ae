import { Option } from 'commander';
import { stringify } from 'csv-stringify/sync';
import { type Pet, PetStoreClient } from '../shared/client/pet-store-client.ts';
import { stringifyJson } from '../shared/contract/json.ts';
import { PetStatus } from '../shared/contract/schemas/pet.ts';
import { petColumns } from './catalogue/columns.ts';
import { type Format, formats } from './catalogue/read-rows.ts';
import { describeApiError, findApiKey, withBaseUrl } from './cli/api-options.ts';
import { createCommand, fail, print } from './cli/create-command.ts';

const { baseUrl, escapeFormulas, format, status } = withBaseUrl(
  createCommand('npm run -s export --', 'Writes the catalogue to standard output.'),
)
  .addOption(new Option('--format <name>', 'format of the output').choices(formats).default('csv'))
  .addOption(new Option('--status <name>', 'only the pets with this status').choices(PetStatus.options))
  .option('--no-escape-formulas', 'in CSV, do not put a quote before cells that a spreadsheet would evaluate')
  .parse()
  .opts<{ baseUrl: string; escapeFormulas: boolean; format: Format; status?: PetStatus }>();

process.stdout.on('error', (error) => {
  // A program such as head has read enough.
  if (!('code' in error && error.code === 'EPIPE')) fail(error);
  process.exit();
});

try {
  const api = new PetStoreClient({ baseUrl, apiKey: await findApiKey() });
  let header = true;
  for await (const pets of api.listPets({ ...(status && { status }) })) {
    await print(textOf(pets, header));
    header = false;
  }
} catch (error) {
  fail(describeApiError(error));
}

function textOf(pets: readonly Pet[], header: boolean): string {
  if (format === 'ndjson') return pets.map((pet) => `${stringifyJson(pet)}\n`).join('');
  return stringify([...pets], { columns: petColumns, header, escape_formulas: escapeFormulas });
}

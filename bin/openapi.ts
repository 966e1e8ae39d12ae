import { fileURLToPath } from 'node:url';
import { openApiDocument } from '../infra/reference/document.ts';
import { stringifyJson } from '../shared/contract/json.ts';
import { OutputFile } from './cli/output-file.ts';

// The project's own, wherever the command is run.
const file = new OutputFile(fileURLToPath(new URL('../openapi.json', import.meta.url)), { force: true });
file.write(`${stringifyJson(openApiDocument(), 2)}\n`);
file.complete();

import { writeFileSync } from 'node:fs';
import { stringifyJson } from '../../shared/contract/json.ts';
import { createCommand } from '../cli/create-command.ts';
import { openApiDocument } from './document.ts';

createCommand('npm run openapi', 'Writes openapi.json, the interface description.').parse();

// The project's file, whatever the current directory is.
writeFileSync(new URL('../../openapi.json', import.meta.url), `${stringifyJson(openApiDocument(), 2)}\n`);

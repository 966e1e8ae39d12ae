import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../infra/reference/document.ts';
import { stringifyJson } from '../shared/contract/json.ts';

// The project's file, whatever the current directory is.
writeFileSync(new URL('../openapi.json', import.meta.url), `${stringifyJson(openApiDocument(), 2)}\n`);

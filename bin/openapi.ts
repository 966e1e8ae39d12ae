import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../infra/reference/document.ts';
import { stringifyJson } from '../shared/contract/json.ts';

writeFileSync('openapi.json', `${stringifyJson(openApiDocument(), 2)}\n`);

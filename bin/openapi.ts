import { writeFileSync } from 'node:fs';
import { openApiDocument } from '../infra/openapi/document.ts';
import { stringifyJson } from '../shared/json.ts';

writeFileSync('openapi.json', `${stringifyJson(openApiDocument(), 2)}\n`);

import { stringifyJson } from '../../shared/contract/json.ts';
import { operations } from '../../shared/contract/operations.ts';
import { codeSamples } from './code-samples.ts';
import { openApiDocument } from './document.ts';
import { everyResponseHeaders } from './headers.ts';
import type { JsonObject } from './schemas.ts';
import { exampleBaseUrl } from './servers.ts';

/**
 * The interface description as the page shows it: with samples of code, without the headers that every response has and
 * the bounds of an int64, which a browser would round; its format says the same. With `baseUrl` it is of the API there.
 */
export function pageDocument(baseUrl?: string): JsonObject {
  const document = {
    ...openApiDocument(),
    ...(baseUrl !== undefined && { servers: [{ url: baseUrl, description: 'This machine.' }] }),
    externalDocs: { url: 'openapi.json', description: 'The interface description' },
  };
  const byId = new Map(Object.entries(operations));

  return JSON.parse(stringifyJson(document), (key, value) => {
    if (key in everyResponseHeaders) return undefined;
    if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined;
    const operation = byId.get(value?.operationId);
    return operation
      ? { ...value, 'x-codeSamples': codeSamples(operation, baseUrl ?? exampleBaseUrl) }
      : value;
  });
}

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderReference } from '../local/reference/reference-endpoints.ts';

/** What the packed reference has in place of an address and a key. */
export const placeholders = { baseUrl: 'http://sandbox.invalid/v1', apiKey: 'key-of-the-sandbox' };

/** Returns what reads the API reference from a directory. */
export const packedReference =
  (directory: string): RenderReference =>
  async ({ file, baseUrl, apiKey }) =>
    readFileSync(join(directory, file), 'utf8')
      .replaceAll(placeholders.baseUrl, () => baseUrl)
      .replaceAll(placeholders.apiKey, () => apiKey);

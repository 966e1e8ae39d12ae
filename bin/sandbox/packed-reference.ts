import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptHash } from '../../infra/reference/script-hash.ts';
import type { RenderReference } from '../local/reference/reference-endpoints.ts';

/** What the packed reference has in place of an address and a key. */
export const placeholders = { baseUrl: 'http://sandbox.invalid/v1', apiKey: 'key-of-the-sandbox' };

/** Returns what reads the API reference from a directory. Its policy then allows the script with the values. */
export const packedReference =
  (directory: string): RenderReference =>
  async ({ file, baseUrl, apiKey }) => {
    const packed = readFileSync(join(directory, file), 'utf8');
    const text = packed
      .replaceAll(placeholders.baseUrl, () => baseUrl)
      .replaceAll(placeholders.apiKey, () => apiKey);
    return text.replace(scriptHash(lastScript(packed)), () => scriptHash(lastScript(text)));
  };

const start = '<script>';

/** Returns the only script with values. No script contains the tags. */
const lastScript = (page: string) =>
  page.slice(page.lastIndexOf(start) + start.length, page.lastIndexOf('</script>'));

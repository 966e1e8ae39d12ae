import { join } from 'node:path';
import type { Address } from './greeting.ts';
import { writePrivateFile } from './private-file.ts';

/** Writes the address and the key to `.env.local`, which Git ignores, for shells and `requests.http`. */
export function writeEnvFile({ baseUrl, apiKey }: Address): void {
  const file = join(import.meta.dirname, '../../.env.local');
  writePrivateFile(file, `BASE_URL=${baseUrl}\nAPI_KEY=${apiKey}\n`);
}

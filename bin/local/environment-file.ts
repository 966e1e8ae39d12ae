import { existsSync, readFileSync } from 'node:fs';
import { writePrivateFile } from './private-file.ts';

/** What an earlier start wrote: the address of a local API and its key, but not of a deployed stage. */
const written = /^BASE_URL=http:\/\/127\.0\.0\.1:\d+\/\w+\nAPI_KEY=\w+\n$/;

/** Writes variables for shells and `requests.http`, unless the file has something else. */
export function writeEnvironmentFile(path: string, variables: string): void {
  const kept = existsSync(path) ? readFileSync(path, 'utf8') : '';
  if (kept === '' || written.test(kept)) writePrivateFile(path, variables);
  else console.log('Your own .env.local is unchanged: add BASE_URL and API_KEY for requests.http.\n');
}

import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/contract/operations.ts';

interface Greeting {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly docsUrl: string;
  /** An existing pet. */
  readonly petId?: string | undefined;
  /** Whether `.env.local` has the address and the key. */
  readonly isSaved: boolean;
}

/** Returns the message to print once the local API is ready, with commands for a shell or PowerShell. */
export function greeting(
  { baseUrl, apiKey, docsUrl, petId = '1', isSaved }: Greeting,
  isPowerShell = false,
): string {
  const [curl, variable] = isPowerShell ? ['curl.exe', '$env:'] : ['curl', '$'];
  const set = (name: string, value: string) =>
    isPowerShell ? `$env:${name} = '${value}'` : `export ${name}=${value}`;
  const call = (path: string) =>
    `${curl} -i "${variable}BASE_URL${path}" -H "Authorization: Bearer ${variable}API_KEY"`;
  const create = `${call('/pets')} -H 'Content-Type: application/json' -d`;
  const newPet = `'${stringifyJson(exampleNewPet)}'`;
  const load = isPowerShell ? '' : '\nor, in this directory: set -a; . ./.env.local; set +a\n';

  return `Pet Store is ready. To call it, in another terminal:

  ${set('BASE_URL', baseUrl)}
  ${set('API_KEY', apiKey)}
${isSaved ? load : '\nYour own .env.local is unchanged. For requests.http, add BASE_URL and API_KEY to it.\n'}
List, create, get:

  ${call('/pets?limit=5&status=available')}
  ${isPowerShell ? `${newPet} | ${create} '@-'` : `${create} ${newPet}`}
  ${call(`/pets/${petId}`)}

Reference: ${docsUrl}
`;
}

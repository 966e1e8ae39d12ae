import { firstCalls } from './samples.ts';

interface ReadyApi {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly docsUrl: string;
  /** The file that keeps the tables and the key. */
  readonly dataFile?: string | undefined;
}

/** Other shells on Windows, such as Git Bash, set SHELL. */
const hasPowerShell = process.platform === 'win32' && process.env['SHELL'] === undefined;

const shell = { terminal: 'terminal', curl: 'curl', set: 'export ', get: '$', quote: '' };
const powerShell = {
  // npm runs scripts in cmd, whatever shell started it, so the user may be in either.
  terminal: 'PowerShell',
  curl: 'curl.exe',
  set: '$env:',
  get: '$env:',
  quote: "'",
};

/** Returns the message to print once the local API is ready, with commands for a shell or PowerShell. */
export function greeting(api: ReadyApi, isPowerShell = hasPowerShell, calls = firstCalls): string {
  const { baseUrl, apiKey, docsUrl, dataFile } = api;
  const { terminal, curl, set, get, quote } = isPowerShell ? powerShell : shell;
  const call = (path: string) =>
    `${curl} -i "${get}BASE_URL${path}" -H "Authorization: Bearer ${get}API_KEY"`;
  const create = `${call(calls.create.path)} -H 'Content-Type: application/json' -d`;
  const body = `'${calls.create.body}'`;
  const kept = dataFile === undefined ? '' : `Kept for the next start, unless you add --fresh: ${dataFile}\n`;

  return `Pet Store is ready. To call it, in another ${terminal}:

  ${set}BASE_URL=${quote}${baseUrl}${quote}
  ${set}API_KEY=${quote}${apiKey}${quote}

${calls.title}:

  ${call(calls.list)}
  ${isPowerShell ? `${body} | ${create} '@-'` : `${create} ${body}`}

Reference: ${docsUrl}
${kept}`;
}

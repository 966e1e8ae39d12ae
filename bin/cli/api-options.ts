import { type Command, Option } from 'commander';
import { PetStoreError } from './calls/client-error.ts';
import { defaultBaseUrl } from './default-address.ts';
import { readSecret } from './read-secret.ts';

/** Adds the option for the address of the API, and explains where its key comes from. */
export function withBaseUrl(command: Command): Command {
  return command
    .addOption(
      new Option('--base-url <url>', 'base address of the API').env('BASE_URL').default(defaultBaseUrl),
    )
    .addHelpText(
      'after',
      '\nThe API key is read from the environment variable API_KEY, or else from standard input.',
    );
}

/** Reads the API key from the environment, or else from standard input. */
export const findApiKey = async () => process.env['API_KEY'] || (await readSecret('API key: '));

export function describeApiError(error: unknown): unknown {
  if (!(error instanceof PetStoreError)) return error;
  const { code, message, status, url } = error;
  if (status === 401) return 'The API rejected the key: set API_KEY to a valid one.';
  return `${message} (${status === 0 ? reasonOf(error) : `${status} ${code}`}, ${url})`;
}

/** Returns why there was no response, in the words of Node where it has some. */
function reasonOf({ cause, code }: PetStoreError): string {
  if (cause instanceof PetStoreError) return reasonOf(cause);
  return cause instanceof Error ? cause.message : code;
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { defaultPort, localBaseUrl } from '../../infra/local/default-port.ts';
import { readSecret } from './read-secret.ts';

/** Adds the option that says where the API is, and tells where its key comes from. */
export function withBaseUrl(command: Command): Command {
  return command
    .addOption(
      new Option('--base-url <url>', 'the base address of the API')
        .env('BASE_URL')
        .argParser(httpUrl)
        .default(localBaseUrl(defaultPort)),
    )
    .addHelpText(
      'after',
      '\nThe API key is taken from the environment variable API_KEY, or else from standard input.',
    );
}

function httpUrl(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '') return text;
  throw new InvalidArgumentError(`It must be an address such as ${localBaseUrl(defaultPort)}.`);
}

/**
 * The API key: from the environment, or else from standard input unless that is taken.
 *
 * @throws {Error} when there is none, or it is none that a header can hold
 */
export async function findApiKey({ isInputTaken }: { isInputTaken: boolean }): Promise<string> {
  const { API_KEY } = process.env;
  if (!API_KEY && isInputTaken) throw new Error('There is no API key: set API_KEY.');
  const key = API_KEY || (await readSecret('API key: '));
  if (!/^[!-~]+$/.test(key)) throw new Error('That is no API key: set API_KEY to a good one.');
  return key;
}

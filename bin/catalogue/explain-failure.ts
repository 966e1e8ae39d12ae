import { HTTPError, TimeoutError } from 'ky';
import { UnexpectedResponseError } from './api.ts';

/** What kept an import or an export from being done, in one line that says what to do. */
export function explainFailure(error: unknown, baseUrl: string): string {
  const noPetStore = `There is no pet store at ${baseUrl}: check --base-url.`;
  if (error instanceof UnexpectedResponseError) return noPetStore;
  if (error instanceof HTTPError) {
    const { status } = error.response;
    if (status === 401) return 'The API does not accept the key: set API_KEY to a good one.';
    if (status === 404) return noPetStore;
    return `The API keeps answering ${status}: try again later.`;
  }
  if (error instanceof TimeoutError) return 'The API does not answer in time: try again later.';
  if (error instanceof TypeError) return `No API answers at ${baseUrl}: start it, or give its --base-url.`;
  return error instanceof Error ? error.message : String(error);
}

import { PetStoreError } from '../../shared/client/pet-store-client.ts';

/** What kept an import or an export from being done, in one line that says what to do. */
export function explainFailure(error: unknown, baseUrl: string): string {
  if (!(error instanceof PetStoreError)) return error instanceof Error ? error.message : String(error);
  const { code, status, message } = error;
  if (code === 'unreachable') return `No API responds at ${baseUrl}: start it, or give its --base-url.`;
  if (code === 'timeout') return 'The API does not respond in time: try again later.';
  if (status === 401) return 'The API does not accept the key: set API_KEY to a good one.';
  if (status === 429 || status >= 500) return `The API keeps responding with ${status}: try again later.`;
  if (status === 404 || code === 'unexpected_response')
    return `There is no pet store at ${baseUrl}: check --base-url.`;
  return `The API responds with ${status}: ${message}`;
}

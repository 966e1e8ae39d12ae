import { inject } from 'vitest';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { type ApiResponse, expectDescribed } from './conformance.ts';

/** A request; a header that is undefined is not sent, and a body that is not a string is sent as JSON. */
interface ApiRequest {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** Calls an API at a path below its base URL. */
export type Call = (method: string, path: string, request?: ApiRequest) => Promise<ApiResponse>;

/**
 * Returns a client that sends the key and, with a body, JSON's content type, unless overridden. It expects
 * responses that conform to the interface description.
 */
export function apiClient(api: { readonly baseUrl: string; readonly apiKey: string }): Call {
  return async (method, path, { headers = {}, body } = {}) => {
    const sent = Object.entries({
      Authorization: `Bearer ${api.apiKey}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    }).filter((header): header is [string, string] => header[1] !== undefined);

    const response = await readResponse(
      await fetch(`${api.baseUrl}${path}`, {
        method,
        headers: sent,
        // For a string, fetch would add its own content type.
        ...(body !== undefined && {
          body: Buffer.from(typeof body === 'string' ? body : stringifyJson(body)),
        }),
      }),
    );
    expectDescribed(method, path, response);
    return response;
  };
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text();
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    text,
    body: text === '' ? undefined : JSON.parse(text),
  };
}

export const baseUrl = inject('baseUrl');
export const apiKey = inject('apiKey');

/** Calls the API under test. */
export const call = apiClient({ baseUrl, apiKey });

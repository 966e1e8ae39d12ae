import { HTTPError, NetworkError, TimeoutError } from 'ky';
import * as v from 'valibot';
import type { ErrorCode } from '../contract/errors/error-table.ts';

type FailureCode = 'unreachable' | 'timeout' | 'unexpected_response';

/** The code of an API error, or of another failure. Later API versions may add codes. */
export type PetStoreErrorCode = ErrorCode | FailureCode | (string & Record<never, never>);

/** A failed call, with the code, message and status of the API's error. */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError';
  /** The API's code, else `unreachable`, `timeout` or `unexpected_response`. */
  readonly code: PetStoreErrorCode;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  readonly url: string;
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;

  constructor(code: PetStoreErrorCode, message: string, url: string, response?: Response, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = response?.status ?? 0;
    this.url = url;
    this.requestId = requestIdOf(response);
  }
}

export const requestIdOf = (response?: Response) => response?.headers.get('x-amzn-RequestId') ?? undefined;

const ErrorResponse = v.object({ code: v.string(), message: v.string() });

/** Parses the body of a response. A response that is not from the API, such as a redirect, is an error. */
export async function bodyOf<T>(schema: v.GenericSchema<unknown, T>, response: Response, url: string) {
  // ky parses it with the client's `parseJson`.
  const body: unknown = await response.json().catch(() => undefined);
  const { success, output, issues } = v.safeParse(schema, body);
  if (success) return output;
  const message = 'The response is not from a pet store: check the base URL.';
  throw new PetStoreError('unexpected_response', message, url, response, issues);
}

/** Converts a response that is not successful. */
export const errorOf = (response: Response, url: string): Promise<unknown> =>
  bodyOf(ErrorResponse, response, url)
    .then(({ code, message }) => new PetStoreError(code, message, url, response))
    .catch((error: unknown) => error);

/**
 * Converts ky's errors. They contain the request, including the key, so never log them as a cause.
 * When time runs out, the last failed response says more than a timeout.
 */
export function toPetStoreError(error: unknown, url: string, failure: unknown): unknown {
  if (error instanceof NetworkError)
    return new PetStoreError('unreachable', 'The API is unreachable.', url, undefined, error.cause);
  if (!(error instanceof TimeoutError || error instanceof HTTPError)) return error;
  return failure ?? new PetStoreError('timeout', 'The API did not respond in time.', url);
}

import { HTTPError, NetworkError, TimeoutError } from 'ky';
import * as v from 'valibot';
import type { ErrorCode } from '../contract/errors/error-table.ts';
import { parseJson } from '../contract/json.ts';

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
  /** The address that was called. */
  readonly url: string;
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;

  constructor(
    code: PetStoreErrorCode,
    message: string,
    { url, response, cause }: { url: string; response?: Response; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.status = response?.status ?? 0;
    this.url = url;
    this.requestId = response?.headers.get('x-amzn-RequestId') ?? undefined;
  }
}

const ErrorResponse = v.object({ code: v.string(), message: v.string() });

/** Returns the body of a response, or undefined if it is not JSON. */
export const jsonOf = async (response: Response): Promise<unknown> =>
  response
    .text()
    .then(parseJson)
    .catch(() => undefined);

/** Converts a response that is not from the API. */
export function unexpectedResponse(response: Response, url: string, cause?: unknown): PetStoreError {
  const isRedirect = response.type === 'opaqueredirect' || /^3/.test(`${response.status}`);
  const message = isRedirect
    ? 'The response is a redirect, which is not followed: check the base URL.'
    : 'The response is not from a pet store.';
  return new PetStoreError('unexpected_response', message, { url, response, cause });
}

/** Converts a response that is not successful. */
export async function errorOf(response: Response, url: string): Promise<PetStoreError> {
  const { success, output } = v.safeParse(ErrorResponse, await jsonOf(response));
  if (!success) return unexpectedResponse(response, url);
  return new PetStoreError(output.code, output.message, { url, response });
}

/**
 * Converts ky's errors. They contain the request, including the key, so never log them as a cause.
 * When time runs out, the last failed response says more than a timeout.
 */
export async function toPetStoreError(error: unknown, url: string, failed?: Response): Promise<unknown> {
  if (error instanceof NetworkError)
    return new PetStoreError('unreachable', 'The API is unreachable.', { url, cause: error.cause });
  if (!(error instanceof TimeoutError || error instanceof HTTPError)) return error;
  if (failed) return errorOf(failed, url);
  return new PetStoreError('timeout', 'The API did not respond in time.', { url });
}

import { HTTPError, NetworkError, TimeoutError } from 'ky';
import * as v from 'valibot';
import type { ErrorCode } from '../contract/errors/error-table.ts';
import { retryAfterOf } from './retry-after.ts';

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
  /** The seconds that the response asks to wait before another call, if it does. */
  readonly retryAfter: number | undefined;

  constructor(code: PetStoreErrorCode, message: string, url: string, response?: Response, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = response?.status ?? 0;
    this.url = url;
    this.requestId = requestIdOf(response);
    this.retryAfter = response && retryAfterOf(response.headers);
  }
}

export const requestIdOf = (response?: Response) => response?.headers.get('x-amzn-RequestId') ?? undefined;

const ErrorResponse = v.object({ code: v.string(), message: v.string() });

/** Parses the body of a response. A response that is not from the API, such as a redirect, is an error. */
export async function bodyOf<T>(schema: v.GenericSchema<unknown, T>, response: Response, url: string) {
  const { success, output, issues } = v.safeParse(schema, await jsonOf(response));
  if (success) return output;
  throw new PetStoreError('unexpected_response', describe(response), url, response, issues);
}

/** Converts a response that is not successful. */
export async function errorOf(response: Response, url: string): Promise<PetStoreError> {
  const { success, output, issues } = v.safeParse(ErrorResponse, await jsonOf(response));
  if (success) return new PetStoreError(output.code, output.message, url, response);
  return new PetStoreError('unexpected_response', describe(response), url, response, issues);
}

/** Returns undefined if the body is not JSON. ky parses it with the client's `parseJson`. */
const jsonOf = (response: Response): Promise<unknown> => response.json().catch(() => undefined);

/** What a proxy or API Gateway's front end rejects before the API sees it. */
const frontEndStatuses: readonly number[] = [400, 407, 408, 413, 414, 431];

/** Describes a response that the API did not send. */
function describe({ status }: Response): string {
  if (status >= 500) return `A proxy responded with ${status} in place of the API.`;
  if (frontEndStatuses.includes(status))
    return `The request was rejected with ${status} on its way to the API.`;
  return 'The response is not from a pet store: check the base URL, which ends in /v1.';
}

/**
 * Converts ky's errors. They contain the request, including the key, so never log them as a cause.
 * When time runs out, the last failed response says more than a timeout.
 */
export function toPetStoreError(error: unknown, url: string, failure: unknown): unknown {
  if (error instanceof NetworkError) {
    const { cause } = error;
    const reason = cause instanceof Error ? cause.cause : cause;
    return new PetStoreError('unreachable', 'The API is unreachable.', url, undefined, reason);
  }
  if (!(error instanceof TimeoutError || error instanceof HTTPError)) return error;
  return failure ?? new PetStoreError('timeout', 'The API did not respond in time.', url);
}

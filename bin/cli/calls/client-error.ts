import type { ErrorCode } from '../../../shared/contract/error-table.ts';

/**
 * The code of an API error, or of another failure: `timeout` (no response in time), `aborted` (by a signal, or by
 * what `apiKey` throws), `unreachable` (no connection, or it was lost before the whole response) or
 * `unexpected_response` (not from the API). Later API versions may add codes.
 */
export type PetStoreErrorCode =
  | (ErrorCode | 'aborted' | 'timeout' | 'unreachable' | 'unexpected_response')
  | (string & Record<never, never>);

/** What an error says of its request and of the response, if there is one. */
interface FailedRequest {
  readonly url: string;
  readonly status?: number;
  readonly headers?: Headers;
  readonly idempotencyKey?: string;
  readonly cause?: unknown;
}

/** A failed call, with the code, message and status of the API's error. It never has the API key. */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError';
  /** The API's code, else `aborted`, `timeout`, `unreachable` or `unexpected_response`. */
  readonly code: PetStoreErrorCode;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  readonly url: string;
  /** Those of the response: none without one. */
  readonly headers: Headers;
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;
  /** The seconds that the response asks to wait before another call, if it does. */
  readonly retryAfter: number | undefined;
  /** The `Idempotency-Key` of a create that may have had its effect: repeat it with this key, and the same body. */
  readonly idempotencyKey: string | undefined;

  constructor(code: PetStoreErrorCode, message: string, request: FailedRequest) {
    const { url, status = 0, headers = new Headers(), idempotencyKey, cause } = request;
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.url = url;
    this.headers = headers;
    this.requestId = requestIdOf(headers);
    this.retryAfter = retryAfterOf(headers);
    this.idempotencyKey = idempotencyKey;
  }
}

/** @internal */
export const requestIdOf = (headers: Headers) => headers.get('x-amzn-RequestId') ?? undefined;

/** Returns the seconds that a number or a date asks to wait (RFC 9110 §10.2.3), or undefined for no wait. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  const isNumber = /^\d/.test(value);
  const seconds = isNumber ? Number.parseInt(value, 10) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return seconds > 0 ? seconds : undefined;
}

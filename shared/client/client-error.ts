import * as v from 'valibot';
import type { ErrorCode } from '../contract/error-table.ts';
import { jsonText } from '../contract/json.ts';

/** The code of an API error, or of another failure. Later API versions may add codes. */
export type PetStoreErrorCode =
  | (ErrorCode | 'unreachable' | 'timeout' | 'unexpected_response')
  | (string & Record<never, never>);

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

/** Returns the seconds that a number or a date asks to wait (RFC 9110 §10.2.3), or undefined for no wait. */
function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('Retry-After') ?? '';
  const isNumber = /^\d/.test(value);
  const seconds = isNumber ? Number.parseInt(value, 10) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return seconds > 0 ? seconds : undefined;
}

const ErrorResponse = jsonText(v.object({ code: v.string(), message: v.string() }));

/** Converts a response that is not successful. */
export function errorOf(response: Response, text: string, url: string): PetStoreError {
  const { success, output, issues } = v.safeParse(ErrorResponse, text);
  if (!success) return unexpected(response, url, issues);
  return new PetStoreError(output.code, output.message, url, response);
}

/** Parses the body of a successful response. One that is not from the API is an error. */
export function bodyOf<T>(
  schema: v.GenericSchema<unknown, T>,
  { response, text }: { readonly response: Response; readonly text: string },
  url: string,
): T {
  const { success, output, issues } = v.safeParse(jsonText(schema), text);
  if (!success) throw unexpected(response, url, issues);
  return output;
}

/** Describes a response that the API did not send. */
function unexpected(response: Response, url: string, cause: unknown): PetStoreError {
  const { status } = response;
  const isElsewhere = status < 400 || status === 403 || status === 404;
  const message = isElsewhere
    ? 'The response is not from a pet store: check the base URL, which ends in /v1.'
    : `A proxy, or what is in front of the API, responded with ${status}.`;
  return new PetStoreError('unexpected_response', message, url, response, cause);
}

import { maxBodyKiB } from './body-limits.ts';

/** An error that clients see. */
export interface ErrorDefinition {
  /** Machine-readable. */
  readonly code: string;
  readonly status: number;
  /** Says what to change. */
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The errors of any service, by their `code`. */
export const errorTable = {
  invalid_json: { status: 400, message: 'The body must be well-formed JSON.' },
  invalid_body: { status: 400, message: 'The body has a missing or invalid field.' },
  invalid_query: { status: 400, message: 'A query parameter is invalid.' },
  invalid_header: { status: 400, message: 'A header is invalid.' },
  // Only for API Gateway, when it reports no reason.
  invalid_request: { status: 400, message: 'The request is invalid.' },
  unauthorized: {
    status: 401,
    message: 'A valid API key is required: send it as "Authorization: Bearer <API key>".',
  },
  not_found: { status: 404, message: 'The requested resource could not be found.' },
  method_not_allowed: { status: 405, message: 'The path supports only the methods in the Allow header.' },
  gone: {
    status: 410,
    message: 'This operation has been removed. If another one replaces it, its URL is in the Link header.',
  },
  payload_too_large: { status: 413, message: `The body must be at most ${maxBodyKiB} KiB.` },
  unsupported_media_type: { status: 415, message: 'The body must be sent as application/json.' },
  idempotency_key_reused: {
    status: 422,
    message:
      'This Idempotency-Key was used before with another body: repeat that body, or send a new key to create another.',
  },
  already_deleted: {
    status: 422,
    message: 'What this Idempotency-Key created has been deleted: send a new key to create another.',
  },
  too_many_requests: {
    status: 429,
    message: 'Too many requests: retry after the number of seconds in Retry-After.',
    headers: { 'Retry-After': '1' },
  },
  internal_error: { status: 500, message: 'The service failed unexpectedly.' },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable: retry after the number of seconds in Retry-After.',
    headers: { 'Retry-After': '1' },
  },
  gateway_timeout: { status: 504, message: 'The service did not respond in time: try again.' },
} as const satisfies Record<string, Omit<ErrorDefinition, 'code'>>;

export type ErrorCode = keyof typeof errorTable;

export const errorCodes = Object.keys(errorTable) as readonly ErrorCode[];

/** An error of any service, by its code, or one of a single service, which its operations list. */
export type AnyError = ErrorCode | ErrorDefinition;

export const definitionOf = (error: AnyError): ErrorDefinition =>
  typeof error === 'string' ? { code: error, ...errorTable[error] } : error;

/** What is logged of an error: its cause, and what was invalid. */
interface ApiErrorOptions extends ErrorOptions {
  /** The names of the invalid fields or parameters, or a position, never a value that a client sent. */
  readonly details?: Readonly<Partial<Record<'invalid' | 'position', string>>>;
}

/** An error that the client sees, thrown where the fault is known. Any other error is a defect. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly details: ApiErrorOptions['details'];

  /** `message` replaces that of the error; `options` are logged, never part of a response. */
  constructor(error: AnyError, message?: string, options: ApiErrorOptions = {}) {
    const { code, status, message: usual, headers = {} } = definitionOf(error);
    super(message ?? usual, options);
    this.code = code;
    this.status = status;
    this.headers = headers;
    this.details = options.details;
  }
}

/** Returns the body of an error response, as JSON text. */
export function errorBody(error: AnyError, message: string = definitionOf(error).message): string {
  const { code, status } = definitionOf(error);
  return JSON.stringify({ code, message, status });
}

import * as v from 'valibot';

/** One row of the error table: the HTTP status, the default message and the headers of an error code. */
interface ErrorRow {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How large a body may be, in KiB. */
export const maxBodyKiB = 16;

/** Every error of the API, by its `code`. Messages tell the reader what to change. */
export const errorTable = {
  invalid_json: { status: 400, message: 'The body must be well-formed JSON.' },
  invalid_body: { status: 400, message: 'The body has a missing or invalid field.' },
  invalid_query: { status: 400, message: 'A query parameter is invalid.' },
  invalid_header: { status: 400, message: 'A header is invalid.' },
  // Of API Gateway alone: where nothing else says what is wrong, or a firewall does not want it said.
  invalid_request: { status: 400, message: 'The request was refused: change it.' },
  unauthorized: {
    status: 401,
    message: 'A valid API key is required: send it as "Authorization: Bearer <API key>".',
    headers: { 'WWW-Authenticate': 'Bearer realm="pet-store"' },
  },
  not_found: { status: 404, message: 'The requested resource could not be found.' },
  gone: { status: 410, message: 'This operation has been removed: use GET /pets with the status filter.' },
  payload_too_large: { status: 413, message: `The body must be at most ${maxBodyKiB} KiB.` },
  unsupported_media_type: { status: 415, message: 'The body must be sent as application/json.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This Idempotency-Key was used before with another body: send a new key for a new pet.',
  },
  too_many_requests: {
    status: 429,
    message: 'Too many requests: try again after the Retry-After seconds.',
    headers: { 'Retry-After': '1' },
  },
  internal_error: { status: 500, message: 'The service failed unexpectedly.' },
  service_unavailable: {
    status: 503,
    message: 'The service is temporarily unavailable: try again after the Retry-After seconds.',
    headers: { 'Retry-After': '1' },
  },
  gateway_timeout: { status: 504, message: 'The service did not respond in time: try again.' },
} as const satisfies Record<string, ErrorRow>;

/** The machine-readable `code` of an error. */
export type ErrorCode = keyof typeof errorTable;

/** The body of every error response. */
export const ErrorBody = v.strictObject({
  code: v.picklist(Object.keys(errorTable)),
  message: v.string(),
  status: v.pipe(v.number(), v.integer()),
});
export type ErrorBody = v.InferOutput<typeof ErrorBody>;

/** The body of an error response, as JSON text. */
export function errorBody(code: ErrorCode, message: string = errorTable[code].message): string {
  return JSON.stringify({ code, message, status: errorTable[code].status });
}

/** The headers that the table prescribes for an error, apart from those of every response. */
export function errorHeaders(code: ErrorCode): Readonly<Record<string, string>> {
  const row: ErrorRow = errorTable[code];
  return row.headers ?? {};
}

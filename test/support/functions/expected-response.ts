export const commonHeaders = {
  'Cache-Control': 'no-store',
  'Content-Type': 'application/json',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
};

/** Returns an exact error response; `headers` are in addition to the common ones. */
export const errorResponse = (status: number, code: string, message: string, headers: object = {}) => ({
  status,
  headers: { ...commonHeaders, ...headers },
  body: { code, message, status: BigInt(status) },
});

export const internalError = errorResponse(500, 'internal_error', 'The service failed unexpectedly.');

export const serviceUnavailable = errorResponse(
  503,
  'service_unavailable',
  'The service is temporarily unavailable: retry after the number of seconds in Retry-After.',
  { 'Retry-After': '1' },
);

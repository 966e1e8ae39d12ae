/** The headers of every response, an error of API Gateway itself included. */
export const commonHeaders = {
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'X-Content-Type-Options': 'nosniff',
} as const;

import { setTimeout } from 'node:timers/promises';
import { errorHeaders } from '../../infra/service/error-headers.ts';
import { definitionOf, type ErrorCode, errorBody } from '../../shared/contract/error-table.ts';
import { commonHeaders } from '../../shared/contract/operation.ts';
import type { HttpResponse, Intercept } from '../local-api/http/read-request.ts';

/** The faults in place of a response, by the status that a request asks for. */
const errors = new Map<string, ErrorCode>([
  ['429', 'too_many_requests'],
  ['500', 'internal_error'],
  ['503', 'service_unavailable'],
]);

const usage = 'Sandbox-Fault must be 429, 500, 503, lost, or delay= and 0 to 60 seconds, such as delay=1.5.';

/** Gives a request the fault that its `Sandbox-Fault` header asks for: only the sandbox knows this header. */
export const faultOnRequest: Intercept = async ({ headers }, respond) => {
  const fault = headers['sandbox-fault']?.join();
  if (fault === undefined) return respond();
  if (fault === 'lost') return { ...(await respond()), isLost: true };

  const [, seconds] = /^delay=(\d{1,2}(?:\.\d{1,3})?)$/.exec(fault) ?? [];
  if (seconds !== undefined && Number(seconds) <= 60) {
    const response = await respond();
    return setTimeout(1000 * Number(seconds), response);
  }

  const error = errors.get(fault);
  return error ? errorResponse(error) : errorResponse('invalid_header', usage);
};

const errorResponse = (error: ErrorCode, message?: string): HttpResponse => ({
  status: definitionOf(error).status,
  headers: { 'Content-Type': 'application/json', ...commonHeaders, ...errorHeaders(error) },
  body: errorBody(error, message),
});

import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import {
  ErrorBody,
  type ErrorCode,
  errorBody,
  errorHeaders,
  errorTable,
} from '../../../../shared/contract/errors/error-table.ts';

const codes = Object.keys(errorTable) as ErrorCode[];

describe('error table', () => {
  it('gives each code its status', () => {
    const statuses = Object.fromEntries(codes.map((code) => [code, errorTable[code].status]));

    expect(statuses).toEqual({
      invalid_json: 400,
      invalid_body: 400,
      invalid_query: 400,
      invalid_header: 400,
      invalid_request: 400,
      unauthorized: 401,
      not_found: 404,
      gone: 410,
      payload_too_large: 413,
      unsupported_media_type: 415,
      idempotency_key_reused: 422,
      too_many_requests: 429,
      internal_error: 500,
      service_unavailable: 503,
      gateway_timeout: 504,
    });
  });

  it.each(codes)('has a message for %s that a gateway response carries unchanged', (code) => {
    // API Gateway replaces what follows a dollar sign in a template.
    expect(errorTable[code].message).toMatch(/^[A-Z][^$]+\.$/);
  });

  it('prescribes headers for the errors that HTTP asks them of, and for no other', () => {
    const headers = codes.map((code) => [code, errorHeaders(code)] as const);

    expect(Object.fromEntries(headers.filter(([, values]) => Object.keys(values).length > 0))).toEqual({
      unauthorized: { 'WWW-Authenticate': 'Bearer realm="pet-store"' },
      too_many_requests: { 'Retry-After': '1' },
      service_unavailable: { 'Retry-After': '1' },
    });
  });
});

describe('errorBody', () => {
  it('has the code, the default message and the status', () => {
    expect(JSON.parse(errorBody('not_found'))).toEqual({
      code: 'not_found',
      message: 'The requested resource could not be found.',
      status: 404,
    });
  });

  it('has a message of its own where one is given', () => {
    expect(JSON.parse(errorBody('invalid_query', 'limit must be "small".'))).toEqual({
      code: 'invalid_query',
      message: 'limit must be "small".',
      status: 400,
    });
  });
});

describe('ErrorBody', () => {
  it.each(Object.keys(errorTable) as ErrorCode[])('accepts the body of %s', (code) => {
    expect(v.is(ErrorBody, JSON.parse(errorBody(code)))).toBe(true);
  });

  it.each([
    {},
    { code: 'unknown', message: 'No.', status: 400 },
    { code: 'gone', message: 'No.', status: '410' },
    { code: 'gone', message: 'No.', status: 410, stack: 'at …' },
  ])('refuses %j', (body) => {
    expect(v.is(ErrorBody, body)).toBe(false);
  });
});

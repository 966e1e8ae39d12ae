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

describe('errorBody', () => {
  it.each(codes)('has the code, the message and the status of %s', (code) => {
    const body = JSON.parse(errorBody(code));

    expect(v.is(ErrorBody, body)).toBe(true);
    expect(body).toMatchObject({ code, status: errorTable[code].status });
    // API Gateway replaces what follows a dollar sign in a template.
    expect(body.message).toMatch(/^[A-Z][^$]+\.$/);
  });
});

describe('errorHeaders', () => {
  it('are those that HTTP requires', () => {
    expect(errorHeaders('unauthorized')).toEqual({ 'WWW-Authenticate': 'Bearer realm="pet-store"' });
    expect(errorHeaders('too_many_requests')).toEqual({ 'Retry-After': '1' });
    expect(errorHeaders('service_unavailable')).toEqual({ 'Retry-After': '1' });
    expect(errorHeaders('not_found')).toEqual({});
  });
});

describe('ErrorBody', () => {
  it.each([
    { code: 'unknown', message: 'No.', status: 400 },
    { code: 'gone', message: 'No.', status: '410' },
    { code: 'gone', message: 'No.', status: 410, stack: 'at …' },
  ])('rejects %j', (body) => {
    expect(v.is(ErrorBody, body)).toBe(false);
  });
});

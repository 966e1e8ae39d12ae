import * as v from 'valibot';
import { expect } from 'vitest';
import { type ErrorCode, errorTable } from '../../../shared/contract/error-table.ts';
import type { ApiResponse } from './conformance.ts';

export const commonHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** The body of every error. */
export const ErrorBody = v.strictObject({
  code: v.picklist(Object.keys(errorTable)),
  message: v.string(),
  status: v.number(),
});

/** Expects exactly this error, with the code's message by default. */
export function expectError(
  response: ApiResponse,
  status: number,
  code: ErrorCode,
  message: string = errorTable[code].message,
): void {
  expect(response.body).toStrictEqual({ code, message, status });
  expect(response.status).toBe(status);
  expect(response.headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
}

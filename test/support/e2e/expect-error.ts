import * as v from 'valibot';
import { expect } from 'vitest';
import { type AnyError, definitionOf } from '../../../shared/contract/error-table.ts';
import { errors } from '../../../shared/service.ts';
import type { ApiResponse } from './conformance.ts';

export const commonHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** The body of every error. */
export const ErrorBody = v.strictObject({
  code: v.picklist(errors.map(({ code }) => code)),
  message: v.string(),
  status: v.number(),
});

/** Expects exactly this error, with its own message by default. */
export function expectError(response: ApiResponse, status: number, error: AnyError, message?: string): void {
  const { code, message: usual } = definitionOf(error);
  expect(response.body).toStrictEqual({ code, message: message ?? usual, status });
  expect(response.status).toBe(status);
  expect(response.headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
}

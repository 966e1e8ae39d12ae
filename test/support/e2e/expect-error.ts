import { expect } from 'vitest';
import { type ErrorCode, errorTable } from '../../../shared/contract/errors/error-table.ts';
import type { ApiAnswer } from './conformance.ts';

/** The headers of every answer. */
export const commonHeaders = {
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
} as const;

/** Expects an error in the Error shape, and nothing beside it; `message` is the code's own unless it is given. */
export function expectError(
  answer: ApiAnswer,
  status: number,
  code: ErrorCode,
  message: string = errorTable[code].message,
): void {
  expect(answer.body).toStrictEqual({ code, message, status });
  expect(answer.status).toBe(status);
  expect(answer.headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
}

import { type ErrorCode, errorTable } from './error-table.ts';

/** An error that the client sees, thrown where the fault is known. Any other error is a defect. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;

  /** `message` replaces the default of the error table; `options.cause` is logged and never part of a response. */
  constructor(code: ErrorCode, message: string = errorTable[code].message, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

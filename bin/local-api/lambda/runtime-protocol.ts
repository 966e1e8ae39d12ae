import type { FunctionSpec } from '../template/deployment.ts';

// What the local API and a function's process say to each other.

/** Why an invocation failed, as Lambda reports it. */
export interface InvocationError {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly stackTrace: readonly string[];
}

export type InvocationOutcome = { readonly payload: unknown } | { readonly error: InvocationError };

/** What a function logs. */
export interface LogLine {
  readonly level: string;
  readonly requestId?: string | undefined;
  /** As JSON data, as Lambda writes it. */
  readonly message: unknown;
  /** As Node prints it; only for a readable log. */
  readonly text?: string;
}

/** What a process gets at its start. */
export interface RuntimeOptions {
  readonly spec: Omit<FunctionSpec, 'environment'>;
  /** The file to import: the bundle, or for a debugger the source. */
  readonly module: string;
  readonly timeoutMs: number;
  readonly hasReadableLog: boolean;
}

/** What it gets for each invocation. */
export interface Invocation {
  readonly event: unknown;
}

/** What it sends: a log line, the outcome of init or of an invocation, or the error that ends it. */
export type RuntimeMessage =
  | { readonly payload: unknown }
  /** People may have read the error in the function's own log. */
  | { readonly error: InvocationError; readonly isRead: boolean }
  | { readonly log: LogLine }
  | { readonly fatal: InvocationError };

/** The variables that a process inherits, and hides from the function. */
export const nodeVariables = ['NODE_COMPILE_CACHE', 'NODE_OPTIONS', 'VSCODE_INSPECTOR_OPTIONS'] as const;

/** What a line says of the invocation that it belongs to: the API's request id, and the public name of the key. */
interface Invocation {
  readonly requestId?: string | undefined;
  readonly keyId?: string | undefined;
}

/** Whether an invocation is the first of its execution environment; what is logged during init belongs to that one. */
let isFirst = true;
let invocation: Invocation & { readonly coldStart: boolean } = { coldStart: true };

/** Says which invocation the lines that follow are of. Lambda has one at a time in an execution environment. */
export function startInvocation(details: Invocation = {}): void {
  invocation = { ...details, coldStart: isFirst };
  isFirst = false;
}

/**
 * Logs a fault with its chain of causes, and never with what a client sent. Lambda makes one line of JSON of it, with
 * a timestamp, the level and a request id of its own around it.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function logError(
  message: string,
  error: unknown,
  details: Readonly<Record<string, string>> = {},
): void {
  console.error({ message, ...invocation, ...details, error: describe(error) });
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // A connection that fails on every address of a host is an error without a message, made of others.
  const errors = error instanceof AggregateError ? error.errors.map(describe) : undefined;
  return { name, message, code, stack, errors, ...(cause !== undefined && { cause: describe(cause) }) };
}

/** Logs a fault as one JSON line, with its chain of causes, and never with what a client sent. */
export function logError(
  message: string,
  error: unknown,
  details: Readonly<Record<string, string>> = {},
): void {
  console.error(JSON.stringify({ level: 'ERROR', message, ...details, error: describe(error) }));
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  // A connection that fails on every address of a host is an error without a message, made of others.
  const errors = error instanceof AggregateError ? error.errors.map(describe) : undefined;
  return { name, message, code, stack, errors, ...(cause !== undefined && { cause: describe(cause) }) };
}

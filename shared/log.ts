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
  return { name, message, stack, ...(cause !== undefined && { cause: describe(cause) }) };
}

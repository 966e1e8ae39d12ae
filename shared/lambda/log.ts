/** Logged for each 201, with client, key id, pet id and whether it was a replay. */
export const petCreatedMessage = 'A pet was created.';

/** Logged for each request that a handler rejects or the authorizer denies, with the error's code. */
export const requestRejectedMessage = 'A request was rejected.';

/** Fields that tie a log line to its invocation: the API's request id, and the key id. */
type Invocation = Readonly<Partial<Record<'requestId' | 'keyId', string | undefined>>>;

/** Further fields of a log line. Never put a body, an Idempotency-Key or an API key into them. */
type Details = Readonly<Record<string, string | boolean>>;

/** Set by Lambda: the published version, which leads from an error to the release that caused it. */
const functionVersion = process.env['AWS_LAMBDA_FUNCTION_VERSION'];

/** Whether the next invocation is the first of its execution environment. Init belongs to the first. */
let isFirst = true;
let invocation: Invocation & { readonly coldStart: boolean } = { coldStart: true };

/** Sets the invocation that later log lines belong to. An execution environment runs one at a time. */
export function startInvocation(details: Invocation = {}): void {
  invocation = { ...details, coldStart: isFirst };
  isFirst = false;
}

/** Logs an event that operators may look up later, or that a metric counts for each version. */
export function logInfo(message: string, details: Details): void {
  console.info({ message, ...invocation, functionVersion, ...details });
}

/** Logs a failure that no client sees. Without the version, which counts against a release. */
export function logWarning(message: string, error: unknown): void {
  console.warn({ message, ...invocation, error: describe(error) });
}

/** Logs an error of the service with its causes, never what a client sent. Lambda adds time and level. */
export function logError(message: string, error: unknown, details: Details = {}): void {
  console.error({ message, ...invocation, functionVersion, ...details, error: describe(error) });
}

function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return error === undefined ? undefined : String(error);
  const { name, message, stack, cause } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { name, message, code, stack, ...(cause !== undefined && { cause: describe(cause) }) };
}

import { writeSync } from 'node:fs';

// Loaded before the CDK app: prints the error that ends the app in place of Node's report, which begins with a
// line of code that may be all of a minified module.

// By default, the frames of the CDK would leave no room for those of the project.
Error.stackTraceLimit = 100;

process.setUncaughtExceptionCaptureCallback(reportFailure);

/** Prints an error, and ends this process. */
export function reportFailure(error: unknown): never {
  writeSync(process.stderr.fd, `${textOf(error)}\n`);
  process.exit(1);
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return `This was thrown, which is not an error: ${error}`;
  const { stack = error.message, cause } = error;
  return cause === undefined ? stack : `${stack}\nCaused by: ${textOf(cause)}`;
}

// Loaded before the CDK app: sends the error that ends the app to the local API, instead of Node's report,
// which begins with a line of code that may be all of a minified module.

process.setUncaughtExceptionCaptureCallback((error) => {
  process.send?.(textOf(error), () => process.exit(1));
});

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stack = error.message, cause } = error;
  return cause === undefined ? stack : `${stack}\nCaused by: ${textOf(cause)}`;
}

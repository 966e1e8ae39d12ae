import { isMainThread } from 'node:worker_threads';
import { thrownValue } from '../../../shared/lambda/thrown-value.ts';
import { watchAwaits } from '../lambda/pending-await.ts';
import { withoutForeignFrames } from '../own-frames.ts';

// Loaded before the CDK app: sends the error that ends the app to the local API, instead of Node's report,
// which begins with a line of code that may be all of a minified module.

// By default, the frames of the CDK would leave no room for those of the project.
Error.stackTraceLimit = 100;

/** Whether the app ends by itself, or because of a failure. */
let isEnding = false;

process.setUncaughtExceptionCaptureCallback((error) => {
  isEnding = true;
  process.send?.(textOf(error), () => process.exit(1));
});

if (isMainThread) {
  const awaits = watchAwaits();
  // The CDK synthesizes in such a listener, too. A failure that follows is sent, too, and counts instead.
  process.once('beforeExit', () => {
    isEnding = true;
    const [place = ''] = awaits.place();
    if (withoutForeignFrames(place) !== '')
      process.send?.(`The app awaits a promise that nothing can settle any more.\n${place}`);
  });
  process.once('exit', (code) => {
    if (!isEnding) process.send?.(`${new Error(`The app called process.exit(${code}).`).stack}`);
  });
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return `This was thrown, which is not an error: ${thrownValue(error)}`;
  const { stack = error.message, cause } = error;
  return cause === undefined ? stack : `${stack}\nCaused by: ${textOf(cause)}`;
}

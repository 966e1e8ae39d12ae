import { isMainThread } from 'node:worker_threads';
import { thrownValue } from '../../../shared/lambda/thrown-value.ts';
import { watchAwaits } from '../lambda/pending-await.ts';
import { withoutForeignFrames } from '../own-frames.ts';

// Loaded before the CDK app: sends the error that ends the app to the local API, instead of Node's report,
// which begins with a line of code that may be all of a minified module.

// By default, the frames of the CDK would leave no room for those of the project.
Error.stackTraceLimit = 100;

process.setUncaughtExceptionCaptureCallback((error) => {
  process.send?.(textOf(error), () => process.exit(1));
});

if (isMainThread) {
  const awaits = watchAwaits();
  // The CDK synthesizes in such a listener, too. A failure that follows is sent, too, and counts instead.
  process.once('beforeExit', () => {
    const [place = ''] = awaits.place();
    if (withoutForeignFrames(place) !== '')
      process.send?.(`The app awaits a promise that nothing can settle any more.\n${place}`);
  });
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return `This was thrown, which is not an error: ${thrownValue(error)}`;
  const { stack = error.message, cause } = error;
  return cause === undefined ? stack : `${stack}\nCaused by: ${textOf(cause)}`;
}

import { logError } from './log.ts';

/** How long a function may wait during init, in milliseconds: init is never much slower for a slow DynamoDB. */
const patience = 300;

/**
 * Makes one harmless call during init, where Lambda gives a function a whole CPU, so that the first request finds
 * its code run once and the connection open. It never fails: what is wrong now will be told by the first request.
 */
export async function warmUp(call: () => Promise<unknown>): Promise<void> {
  const warmedUp = call().catch((error: unknown) => logError('The call during init failed.', error));
  const { promise: outOfPatience, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, patience);
  await Promise.race([warmedUp, outOfPatience]);
  clearTimeout(timer);
}

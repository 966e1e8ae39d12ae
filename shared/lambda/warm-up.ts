import { logError } from './log.ts';
import { timeLimits } from './time-limits.ts';

/**
 * Makes one harmless call during init, where Lambda gives a function a whole CPU, so that the first request finds the
 * code compiled and the connection open. It never throws: a real problem surfaces with the first request.
 */
export async function warmUp(call: () => Promise<unknown>): Promise<void> {
  const warmedUp = call().catch((error: unknown) => logError('The call during init failed.', error));
  const { promise: timeout, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeLimits.warmUp);
  await Promise.race([warmedUp, timeout]);
  clearTimeout(timer);
}

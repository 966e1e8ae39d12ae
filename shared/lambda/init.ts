import { logWarning } from './log.ts';
import { timeLimits } from './time-limits.ts';

/** Returns the value of an environment variable that the stack sets, or throws an error that names it. */
export function environmentVariable(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set.`);
  return value;
}

/** Makes one harmless call during init, when a function has a full CPU. A failure is only a warning. */
export async function warmUp(call: () => Promise<unknown>): Promise<void> {
  const warmedUp = call().catch((error: unknown) => logWarning('The call during init failed.', error));
  const timeout = new Promise((resolve) => setTimeout(resolve, timeLimits.warmUp));
  await Promise.race([warmedUp, timeout]);
}

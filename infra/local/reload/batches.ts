import { setTimeout as pause } from 'node:timers/promises';

/** A checkout writes many files. */
const settleMs = 10;

/** Returns a function that collects items for `task`, which runs once at a time with all that came meanwhile. */
export function inBatches(
  task: (items: ReadonlySet<string>) => Promise<void>,
): (item: string) => Promise<void> {
  let next = new Set<string>();
  let isRunning = false;
  return async (item) => {
    next.add(item);
    if (isRunning) return;
    isRunning = true;
    while (next.size > 0) {
      await pause(settleMs);
      const items = next;
      next = new Set();
      await task(items);
    }
    isRunning = false;
  };
}

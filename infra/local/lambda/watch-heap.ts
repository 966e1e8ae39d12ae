import type { Worker } from 'node:worker_threads';

const intervalMs = 100;

/** The share of V8's limit that a thread may use. Near the limit, one large array ends the process. */
const usableShare = 0.5;

/**
 * Calls `onExcess` with the memory in MB that a thread may use, once it uses more.
 *
 * @returns what stops it, when it is disposed of
 */
export function watchHeap(worker: Worker, onExcess: (limitMb: number) => void): Disposable {
  let isAsking = false;
  async function check(): Promise<void> {
    // A thread that is paused by a debugger responds later.
    if (isAsking) return;
    isAsking = true;
    const { used_heap_size: used, heap_size_limit: limit } = await worker.getHeapStatistics();
    isAsking = false;
    if (used > limit * usableShare) onExcess(Math.round((limit * usableShare) / 2 ** 20));
  }
  // A thread that has ended has no statistics.
  const timer = setInterval(() => check().catch(() => undefined), intervalMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

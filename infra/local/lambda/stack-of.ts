import { url } from 'node:inspector';
import { setTimeout as pause } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { inSource } from '../../../shared/lambda/source-position.ts';

/** A worker that takes longer to respond is in a native call. */
const timeoutMs = 1000;

/** The part of Node's diagnostic report that has the stacks of the workers. */
const Report = v.object({
  workers: v.array(
    v.object({
      header: v.object({ threadId: v.number() }),
      javascriptStack: v.object({ stack: v.array(v.string()) }),
    }),
  ),
});

// By default, a report looks up the host names of all connections.
Object.assign(process.report, { excludeNetwork: true });

/** Returns the stack of the code that a worker is running, such as an endless loop, or none if it waits. */
export async function stackOf(worker: Worker): Promise<readonly string[]> {
  // A report would wait for a worker that is in a native call, or that a debugger has paused.
  const response = worker.getHeapStatistics().catch(() => undefined);
  const isResponsive = await Promise.race([response, pause(timeoutMs)]);
  if (!isResponsive || url() !== undefined) return [];

  const { workers } = v.parse(Report, process.report.getReport());
  const { threadId } = worker;
  const stack = workers.find(({ header }) => header.threadId === threadId)?.javascriptStack.stack ?? [];
  return stack.filter((frame) => frame.startsWith('at ')).map((frame) => inSource(`    ${frame}`));
}

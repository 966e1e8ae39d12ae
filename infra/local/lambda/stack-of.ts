import type { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { inSource } from '../../../shared/lambda/source-position.ts';

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
export function stackOf({ threadId }: Worker): readonly string[] {
  const { workers } = v.parse(Report, process.report.getReport());
  const stack = workers.find(({ header }) => header.threadId === threadId)?.javascriptStack.stack ?? [];
  return stack.filter((frame) => frame.startsWith('at ')).map((frame) => inSource(`    ${frame}`));
}

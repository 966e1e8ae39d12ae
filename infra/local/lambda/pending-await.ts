import { createHook } from 'node:async_hooks';

/** A frame of a module's own code, outside all functions. */
const moduleFrame = /^ {4}at (?!node:|async )[^\s()]+:\d+:\d+$/;

/**
 * Watches the promises of a module while it is loaded.
 *
 * @see https://nodejs.org/api/async_hooks.html#promise-execution-tracking
 */
export function watchAwaits() {
  /** Where each promise was made that has not been settled yet: an `await` makes one, too. */
  const pending = new Map<number, Error>();
  const settle = (id: number) => void pending.delete(id);
  const hook = createHook({
    init(id, type) {
      if (type === 'PROMISE') pending.set(id, new Error());
    },
    before: settle,
    promiseResolve: settle,
  }).enable();

  return {
    stop(): void {
      hook.disable();
      pending.clear();
    },

    /** Returns the stack frame of the `await` at which the module waits, if it waits. */
    place(): readonly string[] {
      hook.disable();
      // The stacks begin with this file and Node's hooks.
      const frames = [...pending.values()].flatMap(({ stack = '' }) => {
        const lines = stack.split('\n').filter((line) => !/^\w|async_hooks|AsyncHook\.init/.test(line));
        return lines.slice(0, 1);
      });
      // The first one is where the module begins.
      return frames.filter((frame) => moduleFrame.test(frame)).slice(-1);
    },
  };
}

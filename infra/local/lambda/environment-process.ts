import { flushCompileCache } from 'node:module';
import type { FunctionSpec } from '../template/deployment.ts';
import {
  type Environment,
  type InvocationError,
  type InvocationOutcome,
  startEnvironment,
} from './execution-environment.ts';
import type { LogLine } from './log-line.ts';

// The main module of a process that has one execution environment, in a thread of its own. The thread of this
// file is never busy: it can tell where the function is at a timeout, and it ends with the local API. The
// process is killed, so each thread stores the code that it has compiled as soon as it has loaded it.

/** What the local API sends: first the function, then the event of each invocation. */
export type ProcessCommand = { readonly spec: FunctionSpec } | { readonly event: unknown };

/**
 * What this process sends: log lines, failures to be logged, that its function has initialized, outcomes, and at
 * last that its environment has ended.
 */
export type ProcessMessage =
  | { readonly log: LogLine }
  | { readonly failure: InvocationError }
  | { readonly hasStarted: true }
  | { readonly outcome: InvocationOutcome; readonly hasEnded: boolean }
  | { readonly hasEnded: true };

const send = (message: ProcessMessage) => process.send?.(message);

const log = {
  write: (line: LogLine) => send({ log: line }),
  writeFailure: (failure: InvocationError) => send({ failure }),
};

let environment: Environment | undefined;

process
  .on('message', async (command: ProcessCommand) => {
    if ('spec' in command) {
      const onStart = () => send({ hasStarted: true });
      // An invocation that it ended sends its outcome first.
      const onEnd = () => setImmediate(send, { hasEnded: true });
      environment = startEnvironment(command.spec, { log, onStart, onEnd });
      flushCompileCache();
    } else if (environment) {
      const outcome = await environment.invoke(command.event);
      send({ outcome, hasEnded: environment.hasEnded() });
    }
  })
  // However the local API ends, even if it is killed. `process.exit` would wait for the thread, and so for ever
  // if the thread is paused while its stack is read.
  .on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

// A terminal sends them to the local API too. If this process ended first, the function would seem to fail.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined);

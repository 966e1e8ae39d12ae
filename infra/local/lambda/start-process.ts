import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { FunctionSpec } from '../template/deployment.ts';
import type { ProcessCommand, ProcessMessage } from './environment-process.ts';
import {
  type Environment,
  type FunctionLog,
  type InvocationError,
  type InvocationOutcome,
  outOfMemory,
} from './execution-environment.ts';
import { takeProcess } from './spare-processes.ts';

/** How the report begins that V8 prints when it ends a process. */
const reportStart = /^(<--- |FATAL ERROR: |# Fatal )/;

/**
 * Starts an execution environment of a function in a process of its own.
 *
 * A thread of the local API would be 15 MB smaller, and start in 35 ms instead of 76 (on Linux). But when one allocation, such as an array of
 * 80 MB, exceeds the limit of a thread, V8 ends the whole process: the limits of a worker only stop what
 * grows slowly. In its process, the environment is a thread still, because only another thread can stop an
 * endless loop and tell where it is. One process for all functions would save about 15 MB for each function,
 * but a function that uses too much memory would end the requests of all others.
 */
export function startProcess(spec: FunctionSpec, log: FunctionLog, onStart?: () => void): Environment {
  const child = takeProcess();
  const exited = once(child, 'exit').catch(() => undefined);
  const send = (command: ProcessCommand) => child.send(command);
  const report: string[] = [];
  let hasEnded = false;
  let respond: (outcome: InvocationOutcome) => void = () => undefined;

  child
    .on('message', (message: ProcessMessage) => {
      if ('log' in message) return log.write(message.log);
      if ('failure' in message) return log.writeFailure(message.failure);
      if ('hasStarted' in message) return onStart?.();
      hasEnded ||= message.hasEnded;
      if ('outcome' in message) return respond(message.outcome);
      // The environment may have ended just before the request.
      respond({ error: ended('.') });
      void close();
    })
    .on('error', (error) => end(`: ${error.message}`))
    // Unlike `exit`, it follows the whole report.
    .on('close', (code, signal) => end(signal === null ? `, with exit code ${code}.` : `, with ${signal}.`));
  if (child.stderr) {
    createInterface(child.stderr).on('line', (line) => {
      if (report.length > 0 || reportStart.test(line)) report.push(line);
      else if (line !== '') process.stderr.write(`${line}\n`);
    });
  }
  send({ spec });

  function end(how: string): void {
    if (hasEnded) return;
    hasEnded = true;
    const error = report.some((line) => line.includes('heap out of memory'))
      ? outOfMemory(spec.memoryMb)
      : ended(how);
    log.writeFailure(error);
    respond({ error });
  }

  /** V8's own words say more than the signal that follows them. */
  const ended = (how: string): InvocationError => ({
    errorType: 'Runtime.ExitError',
    errorMessage: `The process of the function ended without a response${how}`,
    stackTrace: report.filter((line) => /fatal/i.test(line)),
  });

  async function close(): Promise<void> {
    hasEnded = true;
    child.kill('SIGKILL');
    await exited;
  }

  return {
    hasEnded: () => hasEnded,
    invoke(event) {
      const { promise, resolve } = Promise.withResolvers<InvocationOutcome>();
      respond = resolve;
      send({ event });
      return promise;
    },
    close,
  };
}

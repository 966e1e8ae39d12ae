import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchedFunction } from './benched-functions.ts';

/** A handler's response when it fails. */
const failure = /"statusCode":[45]|"Effect":"Deny"/;

/**
 * Starts a function in a separate process, as Lambda does, and invokes it, once and then many times. Returns the first
 * response, the milliseconds until it was ready and until it responded, its memory in MiB by then, and the mean CPU
 * time of a warm invocation in milliseconds.
 *
 * For the invocations, the process joins the control group with this folder, if there is one: Lambda limits the
 * CPU only after init.
 */
export async function measureFunction(
  { directory, environment, execArgv, event }: BenchedFunction,
  controlGroup?: string,
) {
  const startedAt = performance.now();
  const child = fork(join(import.meta.dirname, 'bootstrap.cjs'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...execArgv],
    env: { ...environment, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x', LAMBDA_TASK_ROOT: directory },
  });
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error(`The function in ${directory} has exited.`)));
  const nextMessage = async () => (await once(child, 'message', { signal: ended.signal }))[0];

  try {
    await nextMessage();
    const readyAt = performance.now();
    if (controlGroup !== undefined) writeFileSync(join(controlGroup, 'cgroup.procs'), `${child.pid}`);
    child.send(event);
    const response = await nextMessage();
    const respondedAt = performance.now();
    const result = JSON.stringify(response);
    if (failure.test(result)) throw new Error(`The function responded with ${result}.`);
    const warm: { memory: number; cpu: number } = await nextMessage();
    return { response, init: readyAt - startedAt, first: respondedAt - startedAt, ...warm };
  } finally {
    child.kill('SIGKILL');
  }
}

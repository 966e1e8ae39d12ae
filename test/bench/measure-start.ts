import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Build } from './benched-functions.ts';

/**
 * How long a start took, in milliseconds, until it was ready, and until its first response, and how many HTTP
 * requests were sent until it was ready.
 */
export type Start = Awaited<ReturnType<typeof measureStart>>;

/** A handler's response when it fails. */
const failure = /"statusCode":[45]|"Effect":"Deny"/;

/**
 * Starts a function in a separate process, as Lambda does, and invokes it once. For the invocation, the process
 * joins the control group with this folder, if there is one: Lambda limits the CPU only after init.
 */
export async function measureStart(
  { directory, environment, execArgv, event }: Build,
  controlGroup?: string,
) {
  const startedAt = performance.now();
  const child = fork(join(import.meta.dirname, 'bootstrap.cjs'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...execArgv],
    env: {
      ...environment,
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      LAMBDA_TASK_ROOT: directory,
      // Lambda's runtime has the AWS SDK for functions that do not bundle it.
      NODE_PATH: join(import.meta.dirname, '../../node_modules'),
    },
  });
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error(`The function in ${directory} has exited.`)));
  const nextMessage = () => once(child, 'message', { signal: ended.signal });

  try {
    const [{ requests }] = await nextMessage();
    const readyAt = performance.now();
    if (controlGroup !== undefined) writeFileSync(join(controlGroup, 'cgroup.procs'), `${child.pid}`);
    child.send(event);
    const [response] = await nextMessage();
    const respondedAt = performance.now();
    const result = JSON.stringify(response);
    if (failure.test(result)) throw new Error(`The function responded with ${result}.`);
    return { init: readyAt - startedAt, sum: respondedAt - startedAt, requests };
  } finally {
    child.kill('SIGKILL');
  }
}

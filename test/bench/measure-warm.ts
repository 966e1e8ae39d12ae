import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repetitions, type WarmRequest } from '../scale/measured.ts';
import type { Build } from './benched-functions.ts';

/**
 * Returns the means of many warm invocations of a function. It runs in a separate process, which joins the
 * control group with this folder, if there is one. A function is billed by its duration, which on a fraction of
 * a CPU is mostly CPU time.
 */
export async function measureWarm(
  { directory, environment, execArgv, event }: Build,
  controlGroup: string | undefined,
): Promise<WarmRequest> {
  const child = fork(join(import.meta.dirname, 'bootstrap.cjs'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [...execArgv],
    env: { ...environment, LAMBDA_TASK_ROOT: directory, INVOCATIONS: `${repetitions.requests}` },
  });
  if (controlGroup !== undefined) writeFileSync(join(controlGroup, 'cgroup.procs'), `${child.pid}`);
  const ended = new AbortController();
  child.once('exit', () => ended.abort(new Error(`The function in ${directory} has exited.`)));
  const nextMessage = () => once(child, 'message', { signal: ended.signal });
  try {
    await nextMessage();
    child.send(event);
    const [warm] = await nextMessage();
    return warm;
  } finally {
    child.kill('SIGKILL');
  }
}

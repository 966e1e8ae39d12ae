import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Machine, Outcome } from './operator.ts';

/** A command that is under way. */
export interface CommandProcess {
  readonly outcome: Promise<Outcome>;
  kill(signal: 'SIGINT' | 'SIGKILL'): void;
}

/** Starts a command of `bin/`, in an environment of its own. */
export function startCommand(
  script: string,
  args: readonly string[],
  { environment = {}, input = '' }: Machine = {},
): CommandProcess {
  const child = spawn(process.execPath, [script, ...args], { env: environment });
  child.stdin.end(input);
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return {
    outcome: ended.then(([stdout, stderr, [exitCode]]) => ({ exitCode, stdout, stderr })),
    kill: (signal) => child.kill(signal),
  };
}

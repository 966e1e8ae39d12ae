import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** What a command came to. */
export interface Outcome {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What of an operator's machine a test wants to choose. */
export interface Machine {
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** What is piped into the command. */
  readonly input?: string | undefined;
}

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

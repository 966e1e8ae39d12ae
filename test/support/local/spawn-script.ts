import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const endWithParent = fileURLToPath(new URL('end-with-parent.mjs', import.meta.url));

interface ScriptOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Arguments of Node.js. */
  readonly execArgv?: readonly string[] | undefined;
  /** The largest file that the script can write, in KiB, as on a disk that is full; not on Windows. */
  readonly fileSizeLimit?: number | undefined;
}

/** Starts a script with Node in a separate process, which ends with this one, killed or not. */
export function spawnScript(script: string, args: readonly string[], options: ScriptOptions = {}) {
  const { cwd, env, execArgv = [], fileSizeLimit = 0 } = options;
  const command = [process.execPath, ...execArgv, endWithParent, script, ...args];
  // The shell's unit is 512 bytes.
  const limit = `ulimit -f ${2 * fileSizeLimit}; exec "$@"`;
  const [program = '', ...rest] = fileSizeLimit > 0 ? ['sh', '-c', limit, 'sh', ...command] : command;
  const child = spawn(program, rest, { cwd, env, stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error(`${script} cannot be started.`);
  return { child, stdin, stdout, stderr };
}

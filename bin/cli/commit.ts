import { spawnSync } from 'node:child_process';

/** Returns the commit of a directory, with -dirty if the working tree has changed, or undefined if it has none. */
export function commitOf(cwd: string, env: NodeJS.ProcessEnv = process.env): string | undefined {
  const args = ['describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'];
  const { stdout } = spawnSync('git', args, { cwd, env, encoding: 'utf8' });
  return stdout?.trim() || undefined;
}

import { execFileSync } from 'node:child_process';

const author = ['-c', 'user.name=test', '-c', 'user.email=test@pets.example', '-c', 'commit.gpgSign=false'];

/** Runs Git in a directory, with an author of commits, and returns what it prints. */
export const git = (cwd: string, ...args: readonly string[]): string => gitWith({}, cwd, ...args);

/** Runs Git with variables of its own. */
export const gitWith = (variables: NodeJS.ProcessEnv, cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', [...author, ...args], {
    cwd,
    env: { ...process.env, ...variables },
    encoding: 'utf8',
    stdio: 'pipe',
  });

/** Makes a directory a repository whose commit has some of its files, by default all that are not ignored. */
export function startRepository(cwd: string, files: readonly string[] = ['--all']): void {
  git(cwd, 'init', '--quiet', '--initial-branch=main');
  git(cwd, 'add', ...files);
  git(cwd, 'commit', '--quiet', '--message', 'Start');
}

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { npm } from '../support/local/npm.ts';

const git = (...args: readonly string[]) =>
  execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/**
 * Checks a commit out into a temporary worktree with its packages, and returns its short name and directory.
 *
 * @throws {Error} if there is no such commit, or its packages cannot be installed
 */
export async function checkOut(commit: string) {
  const hash = commitHash(commit);
  // Packages compare real paths.
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'pet-store-behavior-')));
  const directory = join(parent, 'project');
  await using created = new AsyncDisposableStack();
  created.defer(() => {
    // A process that is just ending may still write to it.
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
    git('worktree', 'prune');
  });
  git('-c', `core.hooksPath=${parent}`, 'worktree', 'add', '--quiet', '--detach', directory, hash);
  const lockOf = (project: string) => readFileSync(join(project, 'package-lock.json'), 'utf8');
  if (lockOf(directory) === lockOf('.')) {
    symlinkSync(resolve('node_modules'), join(directory, 'node_modules'), 'junction');
  } else {
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory });
  }
  const kept = created.move();
  return { name: hash.slice(0, 7), directory, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function commitHash(commit: string): string {
  try {
    return git('rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`);
  } catch {
    throw new Error(`There is no commit ${JSON.stringify(commit)} here. In a shallow clone, fetch it first.`);
  }
}

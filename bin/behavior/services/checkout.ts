import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { git, gitWith } from '../../cli/test/support/git.ts';
import { npm } from '../../cli/test/support/npm.ts';

/**
 * Writes the files of a commit to a temporary folder, with their packages, and returns its short name and the
 * folder, which is removed when this process exits. The repository itself stays as it is.
 *
 * @throws {Error} if there is no such commit, or its packages cannot be installed
 */
export async function checkOut(commit: string, project = '.') {
  const hash = commitHash(commit, project);
  // Packages compare real paths.
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'pet-store-behavior-')));
  // A process that is just ending may still write to it.
  process.once('exit', () => rmSync(parent, { recursive: true, force: true, maxRetries: 10 }));
  const directory = join(parent, 'project');
  mkdirSync(directory);
  const ownIndex = { GIT_INDEX_FILE: join(parent, 'index') };
  gitWith(ownIndex, project, 'read-tree', hash);
  gitWith(ownIndex, project, 'checkout-index', '--all', `--prefix=${directory}/`);

  const lockOf = (folder: string) => readFileSync(join(folder, 'package-lock.json'), 'utf8');
  if (lockOf(directory) === lockOf(project)) {
    symlinkSync(resolve(project, 'node_modules'), join(directory, 'node_modules'), 'junction');
  } else {
    await npm(['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: directory });
  }
  return { name: hash.slice(0, 7), directory };
}

function commitHash(commit: string, project: string): string {
  try {
    const object = `${commit}^{commit}`;
    return git(project, 'rev-parse', '--verify', '--quiet', '--end-of-options', object).trim();
  } catch {
    throw new Error(`There is no commit ${JSON.stringify(commit)} here. In a shallow clone, fetch it first.`);
  }
}

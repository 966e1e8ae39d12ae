import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { printableLine } from '../../cli/printable.ts';
import type { LiveProject } from '../project.ts';

/** What esbuild and the CDK read of every project. */
export const configurationFiles: readonly string[] = ['cdk.json', 'package.json', 'tsconfig.json'];

/** Editors keep such files beside the one that is edited: copies, and what is not saved yet. */
const ofEditor = /(^|\/)[.#]|~$|\.(swp|tmp)$/;

/** The settings of Linux to raise, by the code of the error. */
const limits: Readonly<Record<string, string>> = {
  EMFILE: 'fs.inotify.max_user_instances=1024',
  ENOSPC: 'fs.inotify.max_user_watches=524288',
};

/**
 * Calls `onChange` with each source of a project that is saved, added or removed, until this process ends. What cannot
 * be watched is told once.
 */
export async function watchSources(
  { root, folders }: Pick<LiveProject, 'root' | 'folders'>,
  onChange: (file: string) => void,
): Promise<void> {
  const watched = [...folders, ...configurationFiles];
  const isIgnored = (path: string) => {
    const [name = ''] = relative(root, path).split(sep);
    return name !== '' && !watched.includes(name);
  };
  // As a folder, because chokidar loses a single file that is removed and created again, as by git checkout.
  // Not atomic, because it would tell of a save by rename 0.1 s after that of the temporary file.
  const watcher = watch(root, { cwd: root, ignored: isIgnored, ignoreInitial: true, atomic: false });
  const report = (path: string) => {
    const file = path.replaceAll(sep, '/');
    if (!ofEditor.test(file)) onChange(file);
  };
  // Not for a new folder, which is still empty.
  watcher.on('add', report).on('change', report).on('unlink', report);
  const printed = new Set<string>();
  watcher.on('error', (error) => {
    const text = unwatched(error);
    if (!printed.has(text)) console.error(text);
    printed.add(text);
  });
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
}

function unwatched(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const setting = limits[code];
  const remedy = setting === undefined ? 'restart to try again' : `run sudo sysctl ${setting}, and restart`;
  return printableLine(`Some saves will not be noticed (${code || error}): ${remedy}.`);
}

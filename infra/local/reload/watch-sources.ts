import { relative, resolve, sep } from 'node:path';
import { watch } from 'chokidar';
import { configurationFiles } from './incremental-build.ts';

/** The folders that are watched. */
export const sourceFolders = ['bin', 'functions', 'infra', 'shared'];

/** Editors keep such files beside the one that is edited: copies, and what is not saved yet. */
export const isEditorsFile = (file: string) => /(^|\/)(\.|#)|~$|\.(swp|tmp)$/.test(file);

/**
 * Calls `onChange` with the path of every source in a project that is saved, added or removed.
 *
 * @returns a function that ends it
 */
export async function watchSources(
  projectRoot: string,
  onChange: (file: string) => void,
): Promise<() => Promise<void>> {
  const root = resolve(projectRoot);
  const watched = [...sourceFolders, 'cdk.json', ...configurationFiles];
  const isIgnored = (path: string) => {
    const [name = ''] = relative(root, path).split(sep);
    return name !== '' && !watched.includes(name);
  };
  // As a folder, because chokidar loses a single file that is removed and created again, as by git checkout.
  const watcher = watch(root, { cwd: root, ignored: isIgnored, ignoreInitial: true });
  const report = (path: string) => {
    const file = path.replaceAll(sep, '/');
    if (!isEditorsFile(file)) onChange(file);
  };
  // Not for a new folder, which is still empty.
  watcher.on('add', report).on('change', report).on('unlink', report);
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
  return () => watcher.close();
}

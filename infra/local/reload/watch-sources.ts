import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { projectRoot } from '../../project-root.ts';
import { configurationFiles } from './incremental-build.ts';

/** The folders that are watched. */
export const sourceFolders = ['bin', 'functions', 'infra', 'shared'];

/** Editors keep such files beside the one that is edited: copies, and what is not saved yet. */
export const isEditorsFile = (file: string) => /(^|\/)(\.|#)|~$|\.(swp|tmp)$/.test(file);

/** Calls `onChange` with the path of every source that is saved, added or removed. */
export async function watchSources(onChange: (file: string) => void): Promise<void> {
  const watcher = watch([...sourceFolders, 'cdk.json', ...configurationFiles], {
    cwd: projectRoot,
    ignoreInitial: true,
  });
  const report = (path: string) => {
    const file = relative(projectRoot, path).replaceAll(sep, '/');
    if (!isEditorsFile(file)) onChange(file);
  };
  // Not for a new folder, which is still empty.
  watcher.on('add', report).on('change', report).on('unlink', report);
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
}

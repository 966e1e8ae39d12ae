import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { projectRoot } from '../../project-root.ts';
import { configurationFiles } from './incremental-build.ts';

/** Editors save through files with such names. */
const temporaryFile = /(^|[\\/])\.|~$|^\d+$|\.(swp|tmp)$/;

/** Calls `onChange` with the path of every source that is saved, added or removed. */
export async function watchSources(onChange: (file: string) => void): Promise<void> {
  const watcher = watch(['bin', 'functions', 'infra', 'shared', 'cdk.json', ...configurationFiles], {
    cwd: projectRoot,
    ignoreInitial: true,
  });
  const report = (path: string) => {
    const file = relative(projectRoot, path).replaceAll(sep, '/');
    if (!temporaryFile.test(file)) onChange(file);
  };
  // Not for a new folder, which is still empty.
  watcher.on('add', report).on('change', report).on('unlink', report);
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
}

import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { project } from '../../service/bundle-options.ts';

/** Calls `onChange` for every source file that is saved, added or removed, with its path in the project. */
export async function watchSources(onChange: (file: string) => void): Promise<void> {
  const watcher = watch(['bin', 'functions', 'infra', 'shared', 'CHANGELOG.md'], {
    cwd: project,
    ignoreInitial: true,
    ignored: (path, stats) => stats?.isFile() === true && !/\.(ts|js|css|html|md)$/.test(path),
  });
  watcher.on('all', (_event, file) => onChange(relative(project, file).replaceAll(sep, '/')));
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
}

import { relative, sep } from 'node:path';
import { watch } from 'chokidar';
import { projectRoot } from '../../project-root.ts';

/** Calls `onChange` with the path of every module that is saved, added or removed. */
export async function watchSources(onChange: (file: string) => void): Promise<void> {
  const watcher = watch(['bin', 'functions', 'infra', 'shared'], {
    cwd: projectRoot,
    ignoreInitial: true,
    ignored: (path, stats) => stats?.isFile() === true && !path.endsWith('.ts'),
  });
  watcher.on('all', (_event, file) => onChange(relative(projectRoot, file).replaceAll(sep, '/')));
  await new Promise<void>((resolve) => watcher.once('ready', resolve));
}

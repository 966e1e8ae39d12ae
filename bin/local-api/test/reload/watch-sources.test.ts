import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FSWatcher } from 'chokidar';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { watchSources } from '../../reload/watch-sources.ts';

it.each([
  ['ENOSPC', 'run sudo sysctl fs.inotify.max_user_watches=524288, and restart.'],
  ['EMFILE', 'run sudo sysctl fs.inotify.max_user_instances=1024, and restart.'],
  ['EACCES', 'restart to try again.'],
])('watching goes on after an error, which is told once: %s', async (code, remedy) => {
  using logged = vi.spyOn(console, 'error').mockReturnValue();
  const root = `${temporaryDirectory(onTestFinished)}/`;
  mkdirSync(join(root, 'shared'));
  const saved = vi.fn();
  using added = vi.spyOn(FSWatcher.prototype, 'add');
  await watchSources({ root, folders: ['shared'] }, saved);
  const watcher = added.mock.contexts[0] as FSWatcher | undefined;
  onTestFinished(() => watcher?.close());

  // As Linux says when its limit is reached.
  for (const _file of ['a', 'b']) watcher?.emit('error', Object.assign(new Error('It failed'), { code }));
  writeFileSync(join(root, 'shared/c.ts'), '');

  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith('shared/c.ts'), { timeout: 20_000 });
  expect(logged).toHaveBeenCalledExactlyOnceWith(`Some saves will not be noticed (${code}): ${remedy}`);
});

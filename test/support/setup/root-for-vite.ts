import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Returns options for Vite, which takes `#`, `?` and `*` in a path for the start of a fragment, a query or a
 * pattern: https://github.com/vitejs/vite/issues/6763. From a folder with such a name, the tests run through a link
 * without, which is removed when the process ends.
 */
export function rootForVite(project: string) {
  if (!/[#?*]/.test(project)) return {};
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-root-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const root = join(directory, 'project');
  symlinkSync(project, root, 'junction');
  // Vitest itself is found by the folder's own name.
  const vitest = { find: /^vitest$/, replacement: join(root, 'node_modules/vitest/dist/index.js') };
  return { root, resolve: { preserveSymlinks: true, alias: [vitest] } };
}

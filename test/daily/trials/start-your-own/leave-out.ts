import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import type { RepositoryCopy } from '../repository-copy.ts';
import type { Trial } from '../trial.ts';

/** The commands that delete a part, by its heading. */
const [, sections = ''] =
  /^## If you want less\n(.*)/ms.exec(readFileSync('docs/start-your-own.md', 'utf8')) ?? [];
const parts = Array.from(
  sections.matchAll(/^### (.+?)\n.*?^```sh\n(.*?)^```/gms),
  ([, part = '', commands = '']) => [part, commands] as const,
);

/** Deletes every part that can go, from top to bottom, and prints how much is left to understand. */
export const leaveOut: Trial = {
  document: 'docs/start-your-own.md',
  section: 'If you want less',
  changesApi: false,
  follow(copy) {
    assert.ok(parts.length > 0, 'The document names no parts.');
    for (const [part, commands] of parts) {
      copy.runInShell(`set -e\n${commands}git add --all && git commit --quiet --message "Without ${part}"`);
      console.log(`without ${part}: ${linesOf(copy)} lines`);
    }
    console.log(`left: ${linesOf(copy)} lines, ${linesOf(copy, 'bin/local-api')} of them the local API`);
  },

  async check(_copy, { call }) {
    const pet = await call('POST', '/pets', { name: 'Bella', categoryId: 1 });
    assert.deepEqual(await call('GET', '/pets'), [pet]);
  },
};

/** Returns how many lines of TypeScript the sources have. */
function linesOf(copy: RepositoryCopy, folders = '{bin,functions,infra,shared}'): number {
  const files = globSync(`${folders}/**/*.ts`, { cwd: copy.directory });
  return files.reduce((sum, file) => sum + copy.read(file).split('\n').length - 1, 0);
}

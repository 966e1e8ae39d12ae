import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { leaveableTools, scriptsOfTool } from '../../../support/infra/tools.ts';
import type { RepositoryCopy } from '../repository-copy.ts';
import { type Trial, vitest } from '../trial.ts';

const document = 'docs/start-your-own.md';
const section = 'If you want less';

/** The other parts that can go, by their headings, with their commands. */
const [, text = ''] = new RegExp(`^## ${section}\n(.*)`, 'ms').exec(readFileSync(document, 'utf8')) ?? [];
const parts = Array.from(
  text.matchAll(/^### (.+?)\n.*?^```sh\n(.*?)^```/gms),
  ([, part = '', commands = '']) => [part, commands] as const,
);

/** Leaves out one tool, with the whole suite after it. */
const leaveOutAlone = (tool: string): Trial => ({
  document,
  section,
  changesApi: false,
  follow: (copy) => leaveOutTool(copy, tool),
});

/** Each tool alone, by the name of its trial. */
export const leaveOutEach: Readonly<Record<string, Trial>> = Object.fromEntries(
  leaveableTools().map((tool) => [`without-${tool}`, leaveOutAlone(tool)]),
);

/** Leaves out everything that can go, and prints how much is left to understand. */
export const leaveOut: Trial = {
  document,
  section,
  changesApi: false,
  follow(copy) {
    for (const tool of leaveableTools()) {
      leaveOutTool(copy, tool);
      console.log(`without ${tool}: ${linesOf(copy)} lines`);
    }
    assert.deepEqual(
      parts.map(([part]) => part),
      ['Access and the pipeline', 'The daily checks'],
    );
    for (const [, commands] of parts) copy.runInShell(`set -e\n${commands}`);
    copy.edit('infra/pet-store-stack.ts', /.*(oundary|CallerSynthesizer).*\n/g, '');
    copy.edit('infra/pet-store-stack.ts', 'type IStackSynthesizer, ', '');
    copy.edit('infra/pet-store-app.ts', /.*addAccess.*\n/g, '');
    copy.edit('infra/pet-store-app.ts', '[access, stack]', '[stack]');
    const rest = /infra\/access|test\/daily|(access|pipeline)\.md|assembly\.yml|drift\.yml/;
    for (const path of globSync('{*.md,docs/*.md,bin/*/*.md}', { cwd: copy.directory })) {
      // A row or an item goes, and a sentence keeps its words without the link.
      const kept = withoutLines(
        copy.read(path),
        (line) => (/^(\||- )/.test(line) && rest.test(line)) || /npm run daily/.test(line),
      );
      copy.write(path, kept.replaceAll(/\[([^\]]*)\]\([^)]*(access|pipeline|test\/daily)[^)]*\)/g, '$1'));
    }
    uninstallUnused(copy);
    console.log(`left: ${linesOf(copy)} lines, ${linesOf(copy, 'bin/local-api')} of them the local API`);
  },

  async check(_copy, { call }) {
    const pet = await call('POST', '/pets', { name: 'Bella', categoryId: 1 });
    assert.deepEqual(await call('GET', '/pets'), [pet]);
  },
};

/** Leaves out a tool, with all that names it. */
export function leaveOutTool(copy: RepositoryCopy, tool: string): void {
  const scripts = scriptsOfTool(tool, JSON.parse(copy.read('package.json')).scripts);
  copy.runInShell(`git rm -r --quiet bin/${tool}`);
  copy.runInShell(`git rm --quiet --ignore-unmatch .github/workflows/${tool}.yml`);
  copy.runInShell(`npm pkg delete ${scripts.map((name) => `scripts.${name}`).join(' ')}`);
  const names = new RegExp(`bin/${tool}\\b(?!-)|npm run (?:-s )?(?:${scripts.join('|')})(?![\\w-])`);
  for (const path of globSync('{*.md,docs/*.md}', { cwd: copy.directory })) {
    copy.write(
      path,
      withoutLines(copy.read(path), (line) => names.test(line)),
    );
  }
  uninstallUnused(copy);
  copy.run(['bin/reference/openapi.ts']);
}

const withoutLines = (content: string, goes: (line: string) => boolean) =>
  content
    .split('\n')
    .filter((line) => !goes(line))
    .join('\n');

/** Uninstalls the packages that a test calls unused. */
function uninstallUnused(copy: RepositoryCopy): void {
  const unused = copy
    .outputOf(vitest('test/infra/unused.test.ts', '--testNamePattern', 'package'))
    .match(/(?<=^\+ +")[^"]+/gm);
  if (unused) copy.runInShell(`npm uninstall --package-lock-only ${unused.join(' ')}`);
}

/** Returns how many lines of TypeScript the sources have, without tests. */
function linesOf(copy: RepositoryCopy, folders = '{bin,functions,infra,shared}'): number {
  const files = globSync(`${folders}/**/*.ts`, { cwd: copy.directory, exclude: ['**/test/**'] });
  return files.reduce((sum, file) => sum + copy.read(file).split('\n').length - 1, 0);
}

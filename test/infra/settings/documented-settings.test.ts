import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { petStoreApp } from '../../../infra/pet-store-app.ts';
import type { StageSettings } from '../../../infra/settings/stages.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { everySetting, leastSettings } from '../../support/infra/stage-settings.ts';
import { ProjectCopy } from '../../support/local/project-copy.ts';

const outdir = temporaryDirectory();
const settingNames = Object.keys(everySetting).join('|');
const inText = new RegExp(`\`((?:${settingNames}): [^\`]+)\``, 'g');

/** Returns the settings that a document tells an owner to add, from its blocks of TypeScript and its text. */
function snippetsOf(document: string): readonly string[] {
  const text = readFileSync(`docs/${document}.md`, 'utf8');
  const blocks = Array.from(text.matchAll(/^ *```ts\n([\s\S]*?)^ *```$/gm), ([, block = '']) => block);
  return [...blocks, ...Array.from(text.matchAll(inText), ([, setting = '']) => setting)];
}

const snippets = ['deploying', 'before-you-rely-on-it', 'runbook'].flatMap(snippetsOf);
const isStage = (snippet: string) => snippet.includes('accountConcurrency:');

/** What the documents say, as code with only the imports of stages.ts. */
const source = `${readFileSync('infra/settings/stages.ts', 'utf8')
  .match(/^import [^;]+;$/gm)
  ?.join('\n')}
import type { StageSettings } from './stages.ts';
export const stages: Readonly<Record<string, StageSettings>> = { ${snippets.filter(isStage).join(', ')} };
export const settings: readonly Partial<StageSettings>[] = [
  ${snippets.filter((snippet) => !isStage(snippet)).map((snippet) => `{ ${snippet} }`)}
];
`;

const copy = new ProjectCopy();
afterAll(() => copy.remove());
const file = 'infra/settings/documented.ts';
writeFileSync(copy.path(file), source);
writeFileSync(
  copy.path('documented.json'),
  JSON.stringify({
    extends: './tsconfig.json',
    compilerOptions: { noUnusedLocals: false },
    include: [file],
  }),
);

it('the settings of the documents compile with the imports of stages.ts', () => {
  const args = ['node_modules/typescript/bin/tsc', '--project', 'documented.json'];

  const { stdout } = spawnSync(process.execPath, args, { cwd: copy.directory, encoding: 'utf8' });

  expect(snippets).not.toEqual([]);
  expect(stdout).toBe('');
});

it('the settings of the documents can be synthesized, each alone, all together, or as a stage', {
  timeout: 120_000,
}, async () => {
  const documented = await import(pathToFileURL(copy.path(file)).href);
  const settings: readonly Partial<StageSettings>[] = documented.settings;
  const each = settings.map((setting, index) => [
    `each${String.fromCharCode(97 + index)}`,
    { ...leastSettings, ...setting },
  ]);
  const stages: Readonly<Record<string, StageSettings>> = {
    ...Object.fromEntries(each),
    all: Object.assign({ ...leastSettings }, ...settings),
    ...documented.stages,
  };

  const release = { commit: '0a1b' };
  const app = petStoreApp(stages, { outdir, release, builtinCloudFormationValidation: false });

  // Each stage has an access stack.
  expect(app.synth().stacks).toHaveLength(2 * Object.keys(stages).length);
});
